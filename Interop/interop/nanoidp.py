"""nanoidp: a small OpenID provider in Python that was made for tests. Its public clients may use any loopback port."""

import json
import os

from .keys import certificate
from .process import Process, free_port
from .python_server import environment, pins
from .robot import Robot, form_with, forms, walk
from .server import ALICE, Server, Skip


class NanoIDP(Server):
    name = "nanoidp"
    algorithm = "RS256"
    silent_refusal = None
    offers = frozenset([
        "browser", "desktop", "end session", "revocation", "device", "machine", "register", "manage", "introspection", "jwt",
        "rotated keys", "client document",
    ])
    other_basic = "invalid_client"

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port, self.document_port = free_port(), free_port()
        self.certificate = ()

    @property
    def issuer(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def alias(self):
        return f"http://localhost:{self.port}"

    def _settings(self):
        clients = [
            {
                "client_id": client.id,
                "token_endpoint_auth_method": client.method,
                "redirect_uris": [self.redirect, self.scheme_redirect],
                **({"client_secret": client.secret} if client.secret else {}),
            }
            for client in self.clients.values()
        ]
        return {
            "config_version": 1,
            "server": {"host": "127.0.0.1", "port": self.port},
            "security_profile": "dev",
            "oauth": {
                "issuer": self.issuer,
                "audience": "api",
                "token_expiry_minutes": 5,
                "refresh_token_rotation": True,
                "scopes_supported": self.scope.split(),
                "clients": clients,
                "dynamic_registration": {"enabled": True},
                "client_id_metadata_documents": {
                    "enabled": True, "allowed_hosts": [f"localhost:{self.document_port}"], "allow_loopback": True,
                },
            },
            "device_flow": {"polling_interval": 1},
            "login": {"totp": True},
            "session": {"secret_key": "for-loopback-tests-only", "enforce_password_check": True},
            "jwt": {"keys_dir": "./keys"},
            "logging": {"level": "WARNING", "verbose_logging": False},
        }

    def start(self):
        home = environment(self.folder.parent, self.name)
        # JSON is YAML, so the standard library can write the settings.
        (self.folder / "settings.yaml").write_text(json.dumps(self._settings(), indent=1))
        user = {"password": ALICE.password, "email": ALICE.email, "roles": ["USER"], "tenant": "default"}
        users = {"config_version": 1, "default_user": ALICE.name, "users": {ALICE.name: user}}
        (self.folder / "users.yaml").write_text(json.dumps(users, indent=1))
        command = [str(home / "bin/nanoidp"), "--config", ".", "--strict-config"]
        # It fetches documents of clients from servers whose certificates are good.
        self.certificate = certificate(self.folder)
        trusted = {**os.environ, "SSL_CERT_FILE": str(self.certificate[0])}
        process = Process(command, self.folder / "log", cwd=self.folder, env=trusted)
        self.processes.append(process)
        process.wait_for(self.issuer + "/.well-known/openid-configuration")
        self.version = pins(self.name)[self.name]
        self.read_metadata()

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, {"username": ALICE.name, "password": ALICE.password})

    def deny(self, robot, address):
        # There is no consent page to refuse. The server answers access_denied when the user has been removed between
        # the password and the one-time code, so that is played: a user with a second factor comes and goes.
        users = self.issuer + "/api/runtime/users"
        password = {"username": "bob", "password": "bob-pw-1"}
        robot.json("POST", users, {**password, "email": "bob@example.org", "totp_secret": "JBSWY3DPEHPK3PXP"})
        action, fields = form_with(robot.get(address), "username")
        page = robot.post(action, {**fields, **password})
        robot.send("DELETE", users + "/bob")
        form = form_with(page, "transaction_id")
        if form is None:
            raise AssertionError(f"no page for the one-time code: HTTP {page.status}")
        action, fields = form
        reply = robot.post(action, {name: value or "000000" for name, value in fields.items()})
        if reply.location is None:
            raise AssertionError(f"no redirect after the user's removal: HTTP {reply.status}")
        return reply.location

    def approve(self, robot, address):
        values = {"username": ALICE.name, "password": ALICE.password, "action": "authorize"}
        reply = robot.get(address)
        for _ in range(4):
            form = next((form for form in forms(reply) if form.names & {"username", "password", "action"}), None)
            if form is None:
                break
            reply = form.submit(robot, values)
        if reply.status != 200 or "uthorized" not in reply.text:
            raise AssertionError(f"the device was not approved: HTTP {reply.status}")

    def rotate_keys(self):
        """The server signs with another key from now on."""
        reply = Robot().post(self.issuer + "/api/keys/rotate", {})
        assert reply.status == 200, f"the keys were not rotated: HTTP {reply.status}"

    def sign_out(self, robot, address):
        target = robot.get(address).location
        if target is None or not target.startswith(self.redirect):
            raise AssertionError("no redirect after the logout")
        return target

    def consent_in_part(self, robot, address):
        raise Skip("the server asks for no consent")

    def refused_request(self):
        return self.clients["public"], {"scope": "openid nonsense"}

    def browse(self, browser):
        browser.type("input[name=username]", ALICE.name)
        browser.type("input[name=password]", ALICE.password)
        browser.picture("login-page")
        browser.click("form button[type=submit]")
