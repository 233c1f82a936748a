"""An OAuth 1.0a provider by Authlib: HMAC-SHA1, RSA-SHA1 and PLAINTEXT, refusals as forms with an `error`."""

import os
from secrets import token_urlsafe
from urllib.parse import urlencode

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.urls import add_params_to_uri  # noqa: E402
from authlib.oauth1 import AuthorizationServer, ResourceProtector, TemporaryCredential  # noqa: E402
from authlib.oauth1.errors import OAuth1Error  # noqa: E402
from authlib.oauth1.rfc5849 import base_server  # noqa: E402
from authlib.oauth1.rfc5849.wrapper import OAuth1Request  # noqa: E402
from flask import Response, request  # noqa: E402

import service  # noqa: E402

base_server.time = service.Clock
temporary, tokens, nonces = {}, {}, set()


class Consumer:
    def __init__(self, secret):
        self._secret = secret

    def get_default_redirect_uri(self):
        return None

    def get_client_secret(self):
        return self._secret

    def get_rsa_public_key(self):
        return service.PUBLIC_KEY


class Checks:
    SUPPORTED_SIGNATURE_METHODS = ["HMAC-SHA1", "RSA-SHA1", "PLAINTEXT"]

    def get_client_by_id(self, client_id):
        secret = service.CONSUMERS.get(client_id)
        return None if secret is None else Consumer(secret)

    def exists_nonce(self, nonce, sent):
        seen = (nonce, sent.timestamp, sent.client_id, sent.token)
        is_known = seen in nonces
        nonces.add(seen)
        return is_known


def new_token(sent):
    return TemporaryCredential(
        oauth_token=token_urlsafe(16), oauth_token_secret=token_urlsafe(24), client_id=sent.client_id,
        oauth_callback=sent.redirect_uri,
    )


class Provider(Checks, AuthorizationServer):
    def create_oauth1_request(self, _):
        return OAuth1Request(request.method, service.address(), service.body(), request.headers)

    def handle_response(self, status, payload, headers):
        return Response(payload if isinstance(payload, str) else urlencode(payload), status, headers)

    def create_temporary_credential(self, sent):
        made = new_token(sent)
        temporary[made["oauth_token"]] = made
        return made

    def get_temporary_credential(self, sent):
        return temporary.get(sent.token)

    def delete_temporary_credential(self, sent):
        temporary.pop(sent.token, None)

    def create_authorization_verifier(self, sent):
        sent.credential["oauth_verifier"] = token_urlsafe(9)
        return sent.credential["oauth_verifier"]

    def create_token_credential(self, sent):
        made = new_token(sent)
        tokens[made["oauth_token"]] = made
        return made


class Guard(Checks, ResourceProtector):
    def get_token_credential(self, sent):
        found = tokens.get(sent.token)
        return found if found and found["client_id"] == sent.client_id else None


provider, guard = Provider(), Guard()


@service.app.post("/initiate")
def initiate():
    return provider.create_temporary_credentials_response()


@service.app.route("/authorize", methods=["GET", "POST"])
def authorize():
    try:
        sent = OAuth1Request("GET", service.address(), None, {})
        provider.validate_authorization_request(sent)
    except OAuth1Error as error:
        return provider.handle_error_response(error)
    decision = service.decision()
    if decision is None:
        return service.PAGE, 403 if request.method == "POST" else 200
    if decision == "allow" and sent.credential.get_redirect_uri() == "oob":
        return service.pin_page(provider.create_authorization_verifier(sent))
    done = provider.create_authorization_response(None, grant_user="alice" if decision == "allow" else None)
    if decision == "deny":
        # Authlib's refusal names no request, so nobody could tell whose it is.
        done.location = add_params_to_uri(done.location, [("oauth_token", sent.token)])
    return done


@service.app.post("/token")
def exchange():
    return provider.create_token_response(None)


@service.app.route("/api/me", methods=["GET", "POST"])
def me():
    try:
        guard.validate_request(request.method, service.address(), service.body(), request.headers)
    except OAuth1Error as error:
        return provider.handle_error_response(error)
    return service.echo()


service.serve()
