"""What the scenarios need to know of a server."""

import json
from dataclasses import dataclass

from .robot import Robot


class Skip(Exception):
    """This scenario cannot be played here; the text says why."""


@dataclass(frozen=True)
class Client:
    id: str
    authentication: str  # none, basic or post; in OAuth 1.0a secret or key
    secret: str | None = None


@dataclass(frozen=True)
class User:
    name: str
    password: str
    email: str


ALICE = User("alice", "alice-pw-1", "alice@example.org")

# `awkward` has a secret whose characters mean something to a form decoder and to a percent decoder.
CLIENTS = {
    "public": Client("native", "none"),
    "basic": Client("web-basic", "basic", "basic-secret-0123456789-0123456789"),
    "post": Client("web-post", "post", "post-secret-0123456789-0123456789"),
    "awkward": Client("web-awkward", "basic", "a+b%41/c d"),
}


SCHEME = "org.example.tern-interop"


class Server:
    """One server on loopback. Its clients have registered two redirect addresses: `redirect`, on loopback, and
    `scheme_redirect`, of a private-use scheme."""

    name = ""
    plays = "openid"  # which scenarios are for it
    started = "starts, publishes metadata"
    clients = CLIENTS
    scope = "openid profile email offline_access"
    algorithm = ""  # of its ID tokens
    revoker = "public"  # the client of CLIENTS that may revoke its tokens here
    revocation_methods = ("none", "basic", "post")  # the client authentications that may revoke
    wrong_secret = "invalid_client"  # the error code for it
    silent_refusal = "interaction_required"  # the error code for prompt=none without a session; None: a login page
    scheme_redirect = SCHEME + ":/callback"
    refused_code = "invalid_scope"  # the error code that `refused_request` leads to
    dead_grant = ("reauthentication_required", 3)  # the command's code and status after a revoked refresh token

    def __init__(self, folder, redirect):
        self.folder = folder
        self.redirect = redirect
        self.metadata = {}
        self.processes = []
        self.version = ""

    def start(self):
        """Makes settings, keys, users and clients, starts the server and returns when it is ready."""
        raise NotImplementedError

    def stop(self):
        for process in reversed(self.processes):
            process.stop()
        self.processes.clear()

    @property
    def issuer(self):
        raise NotImplementedError

    @property
    def alias(self):
        """Another address of the same server, under which its metadata name a different issuer."""
        raise NotImplementedError

    def login_options(self, client):
        """What `tern login` has to know of the server and of a client of it."""
        return {
            "issuer": self.issuer, "client-id": client.id, "client-auth": client.authentication,
            "scope": self.scope, "redirect": self.redirect,
        }

    def read_metadata(self):
        reply = Robot().get(self.issuer + "/.well-known/openid-configuration")
        self.metadata = json.loads(reply.text)

    def sign_in(self, robot, address):
        """Plays the user until the server redirects to `redirect`; returns that address without visiting it."""
        raise NotImplementedError

    def deny(self, robot, address):
        """The same, the user or the server refusing. Raises Skip where the server knows no refusal."""
        raise NotImplementedError

    def sign_out(self, robot, address):
        """Plays the user on the logout page until the server redirects to `redirect`; returns that address."""
        raise NotImplementedError

    def consent_in_part(self, robot, address):
        """The same, the user granting `openid` alone."""
        raise NotImplementedError

    def refused_request(self):
        """A client and options for `tern login` with which the server answers an error to the redirect address."""
        raise NotImplementedError

    def refuse(self, robot, address):
        """Follows such a request to the redirect address."""
        reply = robot.get(address)
        if reply.location is None or not reply.location.startswith(self.redirect):
            raise AssertionError(f"no redirect with the error: HTTP {reply.status}")
        return reply.location

    def browse(self, browser):
        """The sign-in in a real browser that already shows the server's page."""
        raise NotImplementedError

    def browse_on(self, browser):
        """What may be left to do on the pages that follow; called again until the browser is back."""
