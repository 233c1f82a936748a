"""canaille: an identity server in Python with a login of several pages. Its service is `openid/canaille_server.py`."""

from .python_server import PythonServer
from .robot import walk
from .server import ALICE, CLIENTS, KEY, Client, Skip


class Canaille(PythonServer):
    name = "canaille"
    package = "Canaille"
    service = "canaille_server"
    scope = "openid profile email"
    algorithm = "RS512"
    basic = "basic"
    other_basic = "invalid_client"
    revoker = "basic"
    revocation_methods = ("basic",)  # whatever the client is registered with
    failed_revocation = "invalid_client"
    denial_options = {"prompt": "consent"}  # it remembers who was allowed what
    refused_code = "unauthorized_client"
    signed_user_info = "ES256"
    silent_refusal = "login_required"
    doctor_remarks = frozenset({
        "warning id_token_algorithms",  # it offers `none`
        "warning issuer_in_answer",  # its metadata promise it
    })
    clients = {
        **CLIENTS,
        "awkward": Client("web-awkward", "basic", "a:b%41+/c_d"),
        "no-code": Client("no-code", "none"),
        "signed": Client("web-signed", "post", "signed-secret-0123456789-0123456789"),
        **KEY,
    }
    offers = frozenset([
        "browser", "desktop", "end session", "revocation", "iss", "key", "jar", "hybrid", "machine", "register", "iss announced",
        "signed user info", "introspection", "jwt",
    ])

    @property
    def alias(self):
        return self.issuer + "/"  # under another host it answers nothing at all

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, self._user("accept"))

    def deny(self, robot, address):
        return walk(robot, address, self.redirect, self._user("deny"))

    def _user(self, answer):
        return {"login": ALICE.name, "password": ALICE.password, "answer": answer}

    def sign_out(self, robot, address):
        return walk(robot, address, self.redirect, {"answer": "logout"})

    def consent_in_part(self, robot, address):
        raise Skip("the server grants all or nothing")

    def refused_request(self):
        return self.clients["no-code"], {}

    def refuse(self, robot, address):
        return self.sign_in(robot, address)  # it asks who it is first

    def browse(self, browser):
        browser.type("input[name=login]", ALICE.name)
        browser.picture("login-page")
        browser.click("button[type=submit]")
        browser.type("input[name=password]", ALICE.password)
        browser.click("button[type=submit]")

    def browse_on(self, browser):
        browser.click_if_there("button[name=answer][value=accept]")
