"""django-oauth-toolkit, an OAuth and OpenID provider for Django. Its service is `openid/django_server.py`."""

from .python_server import PythonServer
from .robot import forms, walk
from .server import ALICE, CLIENTS, Client, Skip


class DjangoOAuthToolkit(PythonServer):
    name = "django-oauth-toolkit"
    package = "django-oauth-toolkit"
    service = "django_server"
    path = "/o"
    algorithm = "RS256"
    device_scope = "profile email offline_access"  # devices get no ID token, whatever they ask for
    registered_scope = "profile"  # it signs no ID tokens for clients that have registered themselves
    basic = blank_basic = "basic"
    other_basic = "invalid_client"
    silent_refusal = None
    silent_answer = "the server answers prompt=none with HTTP 500 when nobody is signed in"
    clients = {
        **CLIENTS,
        "hs256": Client("web-hs256", "post", "shared-secret-0123456789-0123456789-0123456789"),
        "device": Client("device", "none"),
        "hybrid": Client("web-hybrid", "basic", "hybrid-secret-0123456789-0123456789"),
        "machine": Client("machine", "basic", "machine-secret-0123456789-0123456789"),
    }
    offers = frozenset([
        "end session", "iss", "iss announced", "hybrid", "hybrid token", "device", "machine", "register", "manage", "resource metadata", "hs256", "rfc8414 more",
    ])

    @property
    def device_endpoint(self):
        return self.issuer + "/device-authorization/"

    @property
    def resource(self):
        return f"http://localhost:{self.port}"

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, self._user("allow"))

    def deny(self, robot, address):
        return walk(robot, address, self.redirect, self._user(None))

    def _user(self, allow):
        # Cancel is the button without a name.
        return {"username": ALICE.name, "password": ALICE.password, "allow": allow}

    def sign_out(self, robot, address):
        return walk(robot, address, self.redirect, {"allow": "Logout"})

    def consent_in_part(self, robot, address):
        raise Skip("the server grants all or nothing")

    def refused_request(self):
        return self.clients["public"], {"scope": "openid nonsense"}

    def refuse(self, robot, address):
        return self.sign_in(robot, address)  # it asks who it is first

    def approve(self, robot, address):
        """Plays the user whom a device has sent to an address."""
        values = {"username": ALICE.name, "password": ALICE.password, "user_code": None, "action": "accept"}
        reply = robot.get(address)
        for _ in range(8):
            if reply.location is not None:
                reply = robot.get(reply.location)
                continue
            form = next((form for form in forms(reply) if form.names & values.keys()), None)
            if form is None:
                break
            reply = form.submit(robot, values)
        if "Device Authorized" not in reply.text:
            raise AssertionError(f"the device was not approved: HTTP {reply.status} at {reply.address}")
