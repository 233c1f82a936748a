"""An OAuth 1.0a provider by oauthlib: signatures of all methods, RFC 5849's endpoints, refusals with an empty body."""

from flask import Response, redirect, request
from oauthlib import oauth1
from oauthlib.common import add_params_to_uri
from oauthlib.oauth1.rfc5849.endpoints import base

import service

base.time = service.Clock
temporary, tokens, nonces = {}, {}, set()
NOBODY = "nobody0000000000000000"  # stands for what is not there, so that a refusal takes as long as an approval


class Validator(oauth1.RequestValidator):
    enforce_ssl = False
    dummy_client = dummy_request_token = dummy_access_token = NOBODY

    def validate_client_key(self, client_key, request):
        return client_key in service.CONSUMERS

    def get_client_secret(self, client_key, request):
        return service.CONSUMERS.get(client_key, NOBODY)

    def get_rsa_key(self, client_key, request):
        return service.PUBLIC_KEY

    def validate_timestamp_and_nonce(
        self, client_key, timestamp, nonce, request, request_token=None, access_token=None
    ):
        seen = (client_key, timestamp, nonce, request_token, access_token)
        is_new = seen not in nonces
        nonces.add(seen)
        return is_new

    def get_default_realms(self, client_key, request):
        return []

    def check_realms(self, realms):
        return True

    def validate_requested_realms(self, client_key, realms, request):
        return True

    def validate_redirect_uri(self, client_key, redirect_uri, request):
        return True

    def save_request_token(self, token, request):
        temporary[token["oauth_token"]] = {**token, "client": request.client_key, "callback": request.redirect_uri}

    def verify_request_token(self, token, request):
        return token in temporary

    def get_redirect_uri(self, token, request):
        return temporary[token]["callback"]

    def save_verifier(self, token, verifier, request):
        temporary[token]["oauth_verifier"] = verifier["oauth_verifier"]

    def validate_request_token(self, client_key, token, request):
        return temporary.get(token, {}).get("client") == client_key

    def get_request_token_secret(self, client_key, token, request):
        return temporary.get(token, {}).get("oauth_token_secret", NOBODY)

    def validate_verifier(self, client_key, token, verifier, request):
        return temporary.get(token, {}).get("oauth_verifier") == verifier

    def get_realms(self, token, request):
        return []

    def save_access_token(self, token, request):
        tokens[token["oauth_token"]] = {**token, "client": request.client_key}

    def invalidate_request_token(self, client_key, request_token, request):
        temporary.pop(request_token, None)

    def validate_access_token(self, client_key, token, request):
        return tokens.get(token, {}).get("client") == client_key

    def get_access_token_secret(self, client_key, token, request):
        return tokens.get(token, {}).get("oauth_token_secret", NOBODY)

    def validate_realms(self, client_key, token, request, uri=None, realms=None):
        return True


provider = oauth1.WebApplicationServer(Validator())


def as_sent():
    return service.address(), request.method, service.body(), dict(request.headers)


def answer(headers, text, status):
    return Response(text or "", status, headers)


@service.app.post("/initiate")
def initiate():
    return answer(*provider.create_request_token_response(*as_sent()))


@service.app.route("/authorize", methods=["GET", "POST"])
def authorize():
    token = request.args.get("oauth_token", "")
    if token not in temporary:
        return "There is no such request.", 400
    decision = service.decision()
    if decision is None:
        return service.PAGE, 403 if request.method == "POST" else 200
    if decision == "deny":
        # oauthlib leaves the refusal to its user; this is how Twitter did it.
        return redirect(add_params_to_uri(temporary[token]["callback"], [("denied", token)]))
    headers, _, status = provider.create_authorization_response(service.address())
    return service.pin_page(temporary[token]["oauth_verifier"]) if status == 200 else answer(headers, "", status)


@service.app.post("/token")
def exchange():
    return answer(*provider.create_access_token_response(*as_sent()))


@service.app.route("/api/me", methods=["GET", "POST"])
def me():
    is_good, _ = provider.validate_protected_resource_request(*as_sent())
    return service.echo() if is_good else Response("", 401, {"WWW-Authenticate": "OAuth"})


service.serve()
