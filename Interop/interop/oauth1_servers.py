"""OAuth 1.0a by two libraries that others wrote: Authlib and oauthlib. Each is a small Flask service of `oauth1/`."""

import json
import pathlib
import re
import threading

from .process import Process, free_port
from .robot import form_with
from .python_server import environment, pins
from .server import ALICE, Client, Server

FOLDER = pathlib.Path(__file__).parent
METHODS = ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]
PLACES = ["header", "form", "query"]

# oauthlib wants keys of 20 to 30 letters and digits. The secrets mean something to decoders of all kinds.
CONSUMERS = {
    "hmac": Client("hmacConsumer0123456789", "secret", "hmac-secret-%&=+/~"),
    "plain": Client("plainConsumer012345678", "secret", "plain secret+%26"),
    "rsa": Client("rsaConsumer01234567890", "key"),
}

_one_at_a_time = threading.Lock()  # both servers live in the same environment


class OAuth1Server(Server):
    plays = "oauth1"
    started = "starts"
    clients = CONSUMERS
    package = ""  # as the requirements call it
    methods = METHODS
    key_layout = ""  # of the RSA consumer's key file: pkcs1 or pkcs8
    unknown_consumer = unsupported_method = wrong_pin = ""  # the error codes, like `wrong_secret`
    wrong_time = 0  # the status of the API for an old timestamp

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port = free_port()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        with _one_at_a_time:
            home = environment(self.folder.parent, "oauth1")
        self.version = pins("oauth1")[self.package]
        secrets = {client.id: client.secret or "" for client in self.clients.values()}
        (self.folder / "consumers.json").write_text(json.dumps(secrets))
        self.set_clock(0)
        script = FOLDER / f"oauth1/{self.name}_server.py"
        command = [str(home / "bin/python"), "-B", str(script), str(self.port), str(self.folder)]
        process = Process(command, self.folder / "log")
        self.processes.append(process)
        process.wait_for(self.address + "/")

    def set_clock(self, offset):
        """Puts the server's clock ahead by seconds."""
        (self.folder / "clock").write_text(str(offset))

    def login_options(self, client):
        options = {
            "request-token-url": self.address + "/initiate", "authorize-url": self.address + "/authorize",
            "access-token-url": self.address + "/token", "client-id": client.id, "redirect": self.redirect,
        }
        if client.authentication == "key":
            options["client-key"] = str(self.folder / f"{self.key_layout}.pem")
        return options

    def answers(self, path):
        """The statuses with which all requests to a path were answered, in their order."""
        log = (self.folder / "log").read_text()
        return [int(status) for status in re.findall(rf"^[A-Z]+ {path} (\d+)$", log, re.MULTILINE)]

    def sign_in(self, robot, address):
        return self._back(self._answer(robot, address, "allow"))

    def deny(self, robot, address):
        return self._back(self._answer(robot, address, "deny"))

    def read_pin(self, robot, address):
        """Plays the user until the page shows the PIN."""
        reply = self._answer(robot, address, "allow")
        found = re.search(r"<code>([^<]+)</code>", reply.text)
        if reply.status != 200 or found is None:
            raise AssertionError(f"no PIN: HTTP {reply.status}")
        return found[1]

    def _answer(self, robot, address, answer):
        page = robot.get(address)
        form = form_with(page, "username")
        if form is None:
            raise AssertionError(f"no login form: HTTP {page.status}")
        action, fields = form
        return robot.post(action, {**fields, "username": ALICE.name, "password": ALICE.password, "answer": answer})

    def _back(self, reply):
        if reply.location is None or not reply.location.startswith(self.redirect):
            raise AssertionError(f"no redirect after the login form: HTTP {reply.status}")
        return reply.location

    def browse(self, browser):
        browser.type("input[name=username]", ALICE.name)
        browser.type("input[name=password]", ALICE.password)
        browser.picture("login-page")
        browser.click("button[value=allow]")


class Authlib(OAuth1Server):
    name = "authlib"
    package = "Authlib"
    methods = ["HMAC-SHA1", "RSA-SHA1", "PLAINTEXT"]
    key_layout = "pkcs1"
    wrong_secret = "invalid_signature"
    unknown_consumer = "invalid_client"
    unsupported_method = "unsupported_signature_method"
    wrong_pin = "invalid_request"
    wrong_time = 400


class Oauthlib(OAuth1Server):
    name = "oauthlib"
    package = "oauthlib"
    key_layout = "pkcs8"
    # It decodes a signature in form or query twice, so a PLAINTEXT one must not hold a percent sign. Its own client,
    # which sends what the command sends, is refused too.
    clients = {**CONSUMERS, "plain": Client("plainConsumer012345678", "secret", "plain-secret_0123456789.~")}
    wrong_secret = unknown_consumer = wrong_pin = "http_status"  # 401 without a word
    wrong_time = 401


