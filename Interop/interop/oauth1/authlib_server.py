"""An OAuth 1.0a provider by Authlib: the protocol is the library's; the login page, the storage and the API are here.

Run as: authlib_server.py PORT FOLDER. CLOCK_OFFSET (seconds) moves the clock of its timestamp check and Date header.
"""

import os
import pathlib
import sys
import time
from email.utils import formatdate

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.oauth1 import AuthorizationServer, ResourceProtector, TemporaryCredential  # noqa: E402
from authlib.oauth1.errors import OAuth1Error  # noqa: E402
from authlib.oauth1.rfc5849 import base_server  # noqa: E402
from authlib.oauth1.rfc5849.wrapper import OAuth1Request  # noqa: E402
from cryptography.hazmat.primitives import serialization as form  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402
from flask import Flask, Response, jsonify, request  # noqa: E402
from secrets import token_urlsafe  # noqa: E402
from werkzeug.serving import WSGIRequestHandler  # noqa: E402

OFFSET = int(os.environ.get("CLOCK_OFFSET", "0"))
METHODS = ["HMAC-SHA1", "RSA-SHA1", "PLAINTEXT"]


class ShiftedTime:
    @staticmethod
    def time():
        return time.time() + OFFSET


base_server.time = ShiftedTime


class Consumer:
    def __init__(self, secret=None, public_key=None):
        self.secret, self.public_key = secret, public_key

    def get_default_redirect_uri(self):
        return None

    def get_client_secret(self):
        return self.secret

    def get_rsa_public_key(self):
        return self.public_key


class Token:
    def __init__(self, client_id, user):
        self.client_id, self.user = client_id, user
        self.token, self.secret = token_urlsafe(16), token_urlsafe(24)

    def get_oauth_token(self):
        return self.token

    def get_oauth_token_secret(self):
        return self.secret


def rsa_key(folder):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for name, layout in (("pkcs1", "TraditionalOpenSSL"), ("pkcs8", "PKCS8")):
        text = key.private_bytes(form.Encoding.PEM, getattr(form.PrivateFormat, layout), form.NoEncryption())
        (folder / f"rsa-{name}.pem").write_bytes(text)
    return key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()


FOLDER = pathlib.Path(sys.argv[2])
CONSUMERS = {
    "hmac": Consumer("hmac-secret-%&=+/~"),
    "rsa": Consumer("", rsa_key(FOLDER)),
    "plain": Consumer("plain-secret"),
}
temporary, tokens, nonces = {}, {}, set()


def exists_nonce(nonce, sent):
    seen = (nonce, sent.timestamp, sent.client_id, sent.token)
    known = seen in nonces
    nonces.add(seen)
    return known


def as_sent():
    """Authlib's view of the request, over the target as it was sent: Flask's own address is decoded."""
    address = f"http://{request.host}{request.environ['REQUEST_URI']}"
    body = request.form.to_dict(flat=True) if request.form else None
    return OAuth1Request(request.method, address, body, request.headers)


class Provider(AuthorizationServer):
    SUPPORTED_SIGNATURE_METHODS = METHODS

    def create_oauth1_request(self, _):
        return as_sent()

    def handle_response(self, status, payload, headers):
        return Response(payload if isinstance(payload, str) else "&".join(f"{k}={v}" for k, v in payload), status, headers)

    def get_client_by_id(self, client_id):
        return CONSUMERS.get(client_id)

    def exists_nonce(self, nonce, sent):
        return exists_nonce(nonce, sent)

    def create_temporary_credential(self, sent):
        token = Token(sent.client_id, None)
        made = TemporaryCredential(oauth_token=token.token, oauth_token_secret=token.secret,
                                   client_id=sent.client_id, oauth_callback=sent.redirect_uri)
        temporary[token.token] = made
        return made

    def get_temporary_credential(self, sent):
        return temporary.get(sent.token)

    def delete_temporary_credential(self, sent):
        temporary.pop(sent.token, None)

    def create_authorization_verifier(self, sent):
        sent.credential["oauth_verifier"] = verifier = token_urlsafe(9)
        sent.credential["user"] = sent.user
        return verifier

    def create_token_credential(self, sent):
        token = Token(sent.client_id, sent.credential["user"])
        tokens[token.token] = token
        return token


class Guard(ResourceProtector):
    SUPPORTED_SIGNATURE_METHODS = METHODS

    def get_client_by_id(self, client_id):
        return CONSUMERS.get(client_id)

    def get_token_credential(self, sent):
        return tokens.get(sent.token)

    def exists_nonce(self, nonce, sent):
        return exists_nonce(nonce, sent)


app, provider, guard = Flask(__name__), Provider(), Guard()


@app.post("/initiate")
def initiate():
    return provider.create_temporary_credentials_response()


PAGE = """<form method=post><input name=username><input name=password type=password>
<button name=answer value=allow>Allow</button><button name=answer value=deny>Deny</button></form>"""


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    try:
        sent = as_sent()
        provider.validate_authorization_request(sent)
    except OAuth1Error as error:
        return jsonify(dict(error.get_body())), error.status_code
    if request.method == "GET":
        return PAGE
    if request.form.get("answer") == "deny":
        return provider.create_authorization_response(request, grant_user=None)
    if (request.form.get("username"), request.form.get("password")) != ("alice", "alice-pw-1"):
        return PAGE, 403
    if sent.credential.get_redirect_uri() == "oob":
        sent.user = "alice"
        return f"<p id=pin>{provider.create_authorization_verifier(sent)}</p>"
    return provider.create_authorization_response(request, grant_user="alice")


@app.post("/token")
def exchange():
    return provider.create_token_response(request)


@app.route("/api/me", methods=["GET", "POST", "PUT"])
def me():
    try:
        sent = guard.validate_request(request.method, as_sent().uri, request.form.to_dict(), request.headers)
    except OAuth1Error as error:
        return jsonify(dict(error.get_body())), error.status_code
    return jsonify(user=sent.credential.user, query=list(request.args.items(multi=True)),
                   form=list(request.form.items(multi=True)))


class Handler(WSGIRequestHandler):
    def date_time_string(self, timestamp=None):
        return formatdate(time.time() + OFFSET, usegmt=True)


if __name__ == "__main__":
    app.run("127.0.0.1", int(sys.argv[1]), threaded=True, request_handler=Handler)
