"""Authlib's provider of OAuth 2 and OpenID Connect, a library in Python. Its service is `openid/authlib_server.py`."""

from .python_server import PythonServer
from .robot import forms, walk
from .server import ALICE, CLIENTS, KEY, MAC, Client, Skip


class AuthlibOAuth2(PythonServer):
    name = "authlib-oauth2"
    package = "Authlib"
    service = "authlib_server"
    host = "127.0.0.1"
    well_known = "/.well-known/oauth-authorization-server"
    algorithm = "RS256"
    device_scope = "profile email offline_access"  # devices get no ID token, whatever they ask for
    basic = "basic"
    other_basic = "invalid_client"
    silent_refusal = "login_required"
    doctor_remarks = frozenset({"warning issuer_in_answer"})  # its metadata promise it
    forgets_issuer = True
    clients = {**CLIENTS, "awkward": Client("web-awkward", "basic", "pä:50%25+/ß_x"), **KEY, **MAC}
    offers = frozenset([
        "revocation", "rfc8414", "iss", "iss announced", "key", "jar", "mac", "hybrid", "hybrid token", "device", "slow down", "machine", "introspection", "jwt",
    ])

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, self._user("allow"))

    def deny(self, robot, address):
        return walk(robot, address, self.redirect, self._user("deny"))

    def _user(self, answer):
        return {"username": ALICE.name, "password": ALICE.password, "answer": answer}

    def consent_in_part(self, robot, address):
        raise Skip("the server grants all or nothing")

    def refused_request(self):
        return self.clients["public"], {"scope": "openid nonsense"}

    def approve(self, robot, address):
        """Plays the user whom a device has sent to an address."""
        (form,) = forms(robot.get(address))
        reply = form.submit(robot, self._user("allow"))
        if reply.status != 200:
            raise AssertionError(f"the device was not approved: HTTP {reply.status}")
