"""idpyoidc, a provider of OpenID Connect in Python. Its service is `openid/idpyoidc_server.py`."""

from .python_server import PythonServer
from .robot import walk
from .server import CLIENTS, ENCRYPTED, KEY, MAC, Skip


class Idpyoidc(PythonServer):
    name = "idpyoidc"
    package = "idpyoidc"
    service = "idpyoidc_server"
    host = "127.0.0.1"
    algorithm = "RS256"
    basic = "raw-basic"
    other_basic = wrong_secret = "invalid_request"
    silent_refusal = None
    doctor_remarks = frozenset({
        "warning consistency",  # it offers CIBA and names no endpoint for it
        "warning authorization_request",  # it gives codes without a login
    })
    silent_answer = "the server asks nobody anything"
    revoker = "basic"
    revocation_methods = ("basic", "post")
    failed_revocation = "invalid_request"
    says_bad_token = False  # 400 without a challenge
    dead_grant = ("invalid_request", 1)
    prompt = "consent"  # without it there is no refresh token
    clients = {**CLIENTS, **KEY, **MAC, **ENCRYPTED}
    offers = frozenset([
        "revocation", "iss", "par", "key", "mac", "form_post", "hybrid", "hybrid token", "machine", "exchange", "encrypted", "introspection", "jwt",
    ])

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, {})

    def deny(self, robot, address):
        raise Skip("the server asks nobody anything")

    def consent_in_part(self, robot, address):
        raise Skip("the server asks nobody anything")

    def refused_request(self):
        raise Skip("the server shows its refusals on pages of its own")
