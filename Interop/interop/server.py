"""What the scenarios need to know of a server."""

import json
from dataclasses import dataclass
from typing import Optional

from .keys import OPENS, SIGNS, client_key, public_jwk
from .robot import Robot, walk


class Skip(Exception):
    """This scenario cannot be played here; the text says why."""


@dataclass(frozen=True)
class Client:
    id: str
    authentication: str  # as the command's `--client-auth` has it; in OAuth 1.0a secret or key
    secret: Optional[str] = None
    decrypts: bool = False  # the server encrypts for it

    @property
    def method(self):
        """How the registries call the authentication."""
        names = {"basic": "client_secret_basic", "post": "client_secret_post"}
        return names.get(self.authentication, self.authentication.replace("-", "_"))

    @property
    def signs(self):
        return self.authentication == "private-key-jwt"

    def public_key(self, folder):
        """The public half of the client's key, as a JWK; None where it has none."""
        file = self.key_file(folder)
        return None if file is None else public_jwk(file)

    def key_file(self, folder):
        """The file of the key with which the client signs or decrypts; None where it has none."""
        if not self.signs and not self.decrypts:
            return None
        return client_key(folder, self.id, OPENS if self.decrypts else SIGNS)


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
    "awkward": Client("web-awkward", "basic", "a+b%41/c_d"),
    "blank": Client("web-blank", "basic", "a blank in the secret"),
}
# Further clients for servers that know these methods.
KEY = {"key": Client("web-key", "private-key-jwt")}
ENCRYPTED = {
    "encrypted": Client("web-encrypted", "post", "encrypted-secret-0123456789-0123456789", decrypts=True),
}
MAC = {"mac": Client("web-mac", "client-secret-jwt", "mac-secret-0123456789-0123456789-0123456789")}

SCHEME = "org.example.tern-interop"


class Server:
    """One server on loopback. Its clients have registered two redirect addresses: `redirect`, on loopback, and
    `scheme_redirect`, of a private-use scheme."""

    name = ""
    plays = "openid"  # which scenarios are for it
    started = "starts, publishes metadata"
    clients = CLIENTS
    scope = "openid profile email offline_access"
    prompt = None  # what every login has to ask for
    algorithm = ""  # of its ID tokens
    offers = frozenset()  # the features for which there are scenarios of their own
    well_known = "/.well-known/openid-configuration"
    basic = "raw-basic"  # how the secret of `awkward` is to be sent: raw-basic, or basic, which encodes
    blank_basic = "raw-basic"  # the same for `blank`: some decode percent signs, but take a plus for a plus
    other_basic = None  # the error code when it is sent the other way; None: it is taken both ways
    says_bad_token = True  # whether its user info endpoint says what is wrong when the access token is
    revoker = "public"  # the client of CLIENTS that may revoke its tokens here
    revocation_methods = ("none", "basic", "post")  # the client authentications that may revoke
    failed_revocation = "http_status"  # the error code for the other ones
    wrong_secret = "invalid_client"  # the error code for it
    silent_refusal = "interaction_required"  # the error code for prompt=none without a session; None: no such answer
    silent_answer = "the server shows its login page in spite of prompt=none"  # where there is none
    signed_user_info = ""  # the algorithm for the client `signed`
    forgets_issuer = False  # whether it leaves the `iss` that it promises out of the answers of hybrid flows
    hybrid_options = {}  # what else `tern login` has to ask for in a hybrid flow
    device_scope = None  # what a device may ask for; None: what all may
    device_endpoint = None  # where devices begin, where the metadata do not say it
    machine_scope = "openid"  # what a client may ask for on its own behalf
    registered_scope = None  # what a client may ask for that has registered itself; None: what all may
    can_sign_in_registered = True  # as a public client
    resource = ""  # the address of a protected resource that has metadata of its own
    scheme_redirect = SCHEME + ":/callback"
    refused_code = "invalid_scope"  # the error code that `refused_request` leads to
    denied_code = "access_denied"  # what it answers when the user refuses
    denial_options = {}  # what `tern login` has to ask for so that the user can refuse
    judges_before_login = True  # whether it looks at client and redirect before it asks who the user is
    doctor_remarks = frozenset()  # what `tern doctor` says against it with reason, as `level name`
    dead_grant = ("reauthentication_required", 3)  # the command's code and status after a revoked refresh token

    def __init__(self, folder, redirect):
        self.folder = folder
        self.redirect = redirect
        self.metadata = {}
        self.processes = []
        self.version = ""

    def client(self, role):
        """The client for a feature: one of its own where the server has one, else the public one."""
        return self.clients.get(role) or self.clients["public"]

    def log(self):
        """What the server has said so far."""
        return (self.folder / "log").read_text(errors="replace")

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
            **({"prompt": self.prompt} if self.prompt else {}),
            **({"client-key": str(client.key_file(self.folder))} if client.signs else {}),
            **({"decryption-key": str(client.key_file(self.folder))} if client.decrypts else {}),
        }

    def read_metadata(self):
        reply = Robot().get(self.issuer.removesuffix("/") + self.well_known)
        self.metadata = json.loads(reply.text)

    def sign_in(self, robot, address):
        """Plays the user until the server redirects to `redirect`; returns that address without visiting it, or the
        `FormPost` with which a page would go there."""
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

    def approve(self, robot, address):
        """Plays the user whom a device has sent to an address with its code."""
        raise NotImplementedError

    def refuse(self, robot, address):
        """Follows such a request to the redirect address."""
        return walk(robot, address, self.redirect, {})

    def browse(self, browser):
        """The sign-in in a real browser that already shows the server's page."""
        raise NotImplementedError

    def browse_on(self, browser):
        """What may be left to do on the pages that follow; called again until the browser is back."""
