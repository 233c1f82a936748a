"""nanoidp: a small OpenID provider in Python that was made for tests. Its public clients may use any loopback port."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

from .process import Process, free_port
from .robot import Robot, form_with
from .server import ALICE, CLIENTS, Server, Skip

REQUIREMENTS = pathlib.Path(__file__).parent.parent / "requirements.txt"


def environment(folder, requirements):
    """The Python environment with the packages that file pins; made when it is missing or the pins have changed."""
    home = folder / "venv"
    stamp = home / "made-from"
    pins = hashlib.sha256(requirements.read_bytes()).hexdigest() + sys.version
    if not stamp.exists() or stamp.read_text() != pins:
        shutil.rmtree(home, ignore_errors=True)
        for step in (
            [sys.executable, "-m", "venv", str(home)],
            [str(home / "bin/pip"), "install", "--quiet", "--disable-pip-version-check", "-r", str(requirements)],
        ):
            done = subprocess.run(step, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
            if done.returncode != 0:
                raise RuntimeError("its Python environment could not be made: " + done.stderr.strip()[-600:])
        stamp.write_text(pins)
    return home


class NanoIDP(Server):
    name = "nanoidp"
    algorithm = "RS256"
    silent_refusal = None

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port = free_port()

    @property
    def issuer(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def alias(self):
        return f"http://localhost:{self.port}"

    def _settings(self):
        methods = {"none": "none", "basic": "client_secret_basic", "post": "client_secret_post"}
        clients = [
            {
                "client_id": client.id,
                "token_endpoint_auth_method": methods[client.authentication],
                "redirect_uris": [self.redirect, self.scheme_redirect],
                **({"client_secret": client.secret} if client.secret else {}),
            }
            for client in CLIENTS.values()
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
            },
            "login": {"totp": True},
            "session": {"secret_key": "for-loopback-tests-only", "enforce_password_check": True},
            "jwt": {"keys_dir": "./keys"},
            "logging": {"level": "WARNING", "verbose_logging": False},
        }

    def start(self):
        home = environment(self.folder.parent / "nanoidp-environment", REQUIREMENTS)
        # JSON is YAML, so the standard library can write the settings.
        (self.folder / "settings.yaml").write_text(json.dumps(self._settings(), indent=1))
        user = {"password": ALICE.password, "email": ALICE.email, "roles": ["USER"], "tenant": "default"}
        users = {"config_version": 1, "default_user": ALICE.name, "users": {ALICE.name: user}}
        (self.folder / "users.yaml").write_text(json.dumps(users, indent=1))
        command = [str(home / "bin/nanoidp"), "--config", ".", "--strict-config"]
        process = Process(command, self.folder / "log", cwd=self.folder)
        self.processes.append(process)
        process.wait_for(self.issuer + "/.well-known/openid-configuration")
        pins = dict(line.strip().split("==") for line in REQUIREMENTS.read_text().splitlines() if "==" in line)
        self.version = pins["nanoidp"]
        self.read_metadata()

    def sign_in(self, robot, address):
        page = robot.get(address)
        form = form_with(page, "username")
        if form is None:
            raise AssertionError(f"no login form: HTTP {page.status}")
        action, fields = form
        reply = robot.post(action, {**fields, "username": ALICE.name, "password": ALICE.password})
        if reply.location is None or not reply.location.startswith(self.redirect.split("?")[0]):
            raise AssertionError(f"no redirect after the login form: HTTP {reply.status}")
        return reply.location

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

    def sign_out(self, robot, address):
        target = robot.get(address).location
        if target is None or not target.startswith(self.redirect):
            raise AssertionError("no redirect after the logout")
        return target

    def consent_in_part(self, robot, address):
        raise Skip("the server asks for no consent")

    def refused_request(self):
        return CLIENTS["public"], {"scope": "openid nonsense"}

    def browse(self, browser):
        browser.type("input[name=username]", ALICE.name)
        browser.type("input[name=password]", ALICE.password)
        browser.picture("login-page")
        browser.click("form button[type=submit]")
