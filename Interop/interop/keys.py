"""Keys that OpenSSL makes, in the forms in which servers and the command take them."""

import base64
import json
import subprocess


def _text(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, input=data).stdout


def p256_pem():
    """A fresh P-256 key as PKCS #8."""
    return _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")


def rsa_pem():
    """A fresh RSA key as PKCS #8, and the public half."""
    pem = _openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
    return pem, _openssl("pkey", "-pubout", data=pem)


SIGNS = {"use": "sig", "alg": "ES256"}
OPENS = {"use": "enc", "alg": "ECDH-ES"}


def jwk(pem, name, is_private=False, purpose=SIGNS):
    """A P-256 key as a JWK."""
    # OpenSSL's DER form of such a key has its numbers always at the same places (RFC 5915).
    der = _openssl("ec", "-outform", "DER", data=pem)
    numbers = {"x": _text(der[-64:-32]), "y": _text(der[-32:])}
    if is_private:
        numbers["d"] = _text(der[7:39])
    return {"kty": "EC", "crv": "P-256", "kid": name, **purpose, **numbers}


def client_key(folder, client, purpose=SIGNS):
    """The file of a client's private key, a JWK; made when it is asked for the first time."""
    path = folder / f"{client}.jwk"
    if not path.exists():
        path.write_text(json.dumps(jwk(p256_pem(), client, True, purpose)))
        path.chmod(0o600)
    return path


def public_jwk(path):
    """The public half of such a key."""
    return {name: value for name, value in json.loads(path.read_text()).items() if name != "d"}


def certificate(folder):
    """A certificate for `localhost` that signs itself, and its key: two files."""
    paths = folder / "certificate.pem", folder / "certificate-key.pem"
    _openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", paths[0], "-keyout", paths[1],
    )
    return paths
