@_exported public import TernCrypto
@_exported public import TernJOSE
@_exported public import TernOAuth1
@_exported public import TernProtocol
