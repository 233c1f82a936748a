internal import TernCrypto
