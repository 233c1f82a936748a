"""glewlwyd: an OAuth and OpenID server in C from Debian's packages. It compares redirect addresses exactly."""

import gzip
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from .keys import jwk, p256_pem
from .process import Process, free_port
from .robot import Robot, Stuck, form_to, query
from .server import ALICE, CLIENTS, ENCRYPTED, KEY, MAC, Client, Server, Skip

SHARE = pathlib.Path("/usr/share/glewlwyd")
SCHEMA = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
# What the packaged schema puts in; the server listens on loopback only and its database is thrown away.
ADMINISTRATOR = {"username": "admin", "password": "password"}

SETTINGS = """
port={port}
bind_address="127.0.0.1"
external_url="http://localhost:{port}"
login_url="login.html"
api_prefix="api"
static_files_path="{folder}/webapp/"
cookie_secure=0
cookie_same_site="empty"
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA256"
database = {{ type = "sqlite3"; path = "{folder}/database"; }};
static_files_mime_types = (
  {{ extension = ".html"; mime_type = "text/html"; }},
  {{ extension = ".css"; mime_type = "text/css"; }},
  {{ extension = ".js"; mime_type = "application/javascript"; }},
  {{ extension = ".json"; mime_type = "application/json"; }},
  {{ extension = ".png"; mime_type = "image/png"; }},
  {{ extension = ".woff2"; mime_type = "font/woff2"; }} );
"""


class Glewlwyd(Server):
    name = "glewlwyd"
    algorithm = "ES256"
    clients = {
        **CLIENTS, **KEY, **MAC, **ENCRYPTED,
        "no-code": Client("no-code", "none"),
        "machine": Client("machine", "basic", "machine-secret-0123456789-0123456789"),
    }
    offers = frozenset([
        "browser", "desktop", "end session", "revocation", "iss", "par", "dpop", "key", "jar", "mac", "par dpop key", "jarm",
        "form_post", "fragment", "hybrid", "hybrid token", "device", "machine", "register", "manage", "introspection", "jwt", "encrypted",
    ])
    other_basic = "unauthorized_client"
    hybrid_options = {"response-mode": "fragment"}  # unasked, it puts ID tokens and access tokens into the query
    can_sign_in_registered = False  # its token endpoint refuses a public client that has registered itself
    revoker = "basic"
    revocation_methods = ("basic", "post")  # a public client gets 401 without a body
    wrong_secret = "unauthorized_client"
    refused_code = "unauthorized_client"
    dead_grant = ("http_status", 1)  # 400 without a body, which does not say that the grant is over

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port = free_port()
        self.api = f"http://localhost:{self.port}/api"

    @property
    def issuer(self):
        return self.api + "/oidc"

    @property
    def alias(self):
        return f"http://127.0.0.1:{self.port}/api/oidc"

    def start(self):
        if shutil.which("glewlwyd") is None:
            if sys.platform == "linux":
                raise RuntimeError("glewlwyd is not installed")
            raise Skip("glewlwyd is packaged for Debian and Ubuntu only")
        with gzip.open(SCHEMA, "rt") as schema:
            database = sqlite3.connect(self.folder / "database")
            database.executescript(schema.read())
            database.close()
        # The packaged pages have a link to a folder where their configuration should be.
        pages = self.folder / "webapp"
        shutil.copytree(SHARE / "webapp", pages, ignore=shutil.ignore_patterns("config.json"))
        shutil.copy(SHARE / "templates/config.json", pages / "config.json")
        settings = self.folder / "glewlwyd.conf"
        settings.write_text(SETTINGS.format(port=self.port, folder=self.folder))
        # It answers 1 when it has said its version.
        said = subprocess.run(["glewlwyd", "-v"], capture_output=True, text=True).stdout.split()
        self.version = said[-1] if said else ""
        command = ["glewlwyd", f"--config-file={settings}", "-m", "console", "-l", "WARNING"]
        process = Process(command, self.folder / "log")
        self.processes.append(process)
        process.wait_for(f"http://localhost:{self.port}/config")
        self._configure()
        process.wait_for(self.issuer + "/.well-known/openid-configuration")
        self.read_metadata()

    def _configure(self):
        administrator = Robot()

        def call(method, path, value):
            reply = administrator.json(method, self.api + path, value)
            if reply.status != 200:
                raise RuntimeError(f"{method} {path}: HTTP {reply.status} {reply.text[:300]}")

        call("POST", "/auth/", ADMINISTRATOR)
        scopes = self.scope.split()
        for scope in scopes:
            value = {"name": scope, "display_name": scope, "description": scope, "password_required": False}
            # `openid` comes with the schema, asking for the password each time.
            call(*(("PUT", "/scope/openid") if scope == "openid" else ("POST", "/scope/")), value)
        call("POST", "/user/", {
            "username": ALICE.name, "password": ALICE.password, "name": "Alice Example", "email": ALICE.email,
            "scope": ["g_profile", *scopes],
        })
        call("POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OpenID", "parameters": self._provider(scopes),
        })
        # The packaged schema does not know that a client can have several addresses to come back to from the logout.
        (clients,) = json.loads(administrator.get(self.api + "/mod/client/").text)
        several = {"multiple": True, "read": True, "write": True}
        clients["parameters"]["data-format"]["post_logout_redirect_uris"] = several
        call("PUT", "/mod/client/" + clients["name"], clients)
        call("PUT", f"/mod/client/{clients['name']}/reset/", None)
        grants = ["code", "refresh_token", "token", "id_token", "device_authorization", "delete_token"]
        for client in self.clients.values():
            key = client.public_key(self.folder)
            call("POST", "/client/", {
                "client_id": client.id, "name": client.id, "enabled": True,
                "confidential": client.authentication != "none",
                "token_endpoint_auth_method": [client.method], "scope": scopes,
                "redirect_uri": [self.redirect, self.scheme_redirect],
                "post_logout_redirect_uris": [self.redirect],
                "authorization_type": {
                    "no-code": ["refresh_token"], "machine": ["client_credentials"],
                }.get(client.id, grants),
                **({"password": client.secret, "client_secret": client.secret} if client.secret else {}),
                **({"jwks": {"keys": [key]}} if key else {}),
                **({
                    "alg": "ECDH-ES", "enc": "A128CBC-HS256", "alg_kid": client.id, "encrypt_id_token": "1",
                    "encrypt_userinfo": "1",
                } if client.decrypts else {}),
            })

    def _provider(self, scopes):
        key = jwk(p256_pem(), "es-1", is_private=True)
        return {
            "iss": self.issuer, "jwks-show": True,
            "jwks-private": json.dumps({"keys": [key]}), "default-kid": key["kid"],
            "jwt-type": "ecdsa", "jwt-key-size": "256",
            "access-token-duration": 300, "refresh-token-duration": 3600, "code-duration": 60,
            "refresh-token-rolling": True, "refresh-token-one-use": "always",
            "allow-non-oidc": True, "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True,
            "auth-type-refresh-enabled": True, "allowed-scope": scopes,
            "scope": [], "additional-parameters": [], "claims": [],
            "name-claim": "on-demand", "name-claim-scope": ["profile"],
            "email-claim": "on-demand", "email-claim-scope": ["email"], "scope-claim": "no",
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required-public-client": True,
            "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
            "introspection-revocation-auth-scope": [],
            "session-management-allowed": True, "session-cookie-name": "GLEWLWYD2_OIDC_SID",
            "session-cookie-expiration": 3600,
            "oauth-as-iss-id": True, "encrypt-out-token-allow": True,
            "client-enc-parameter": "enc", "client-alg-parameter": "alg", "client-alg_kid-parameter": "alg_kid",
            "client-encrypt_id_token-parameter": "encrypt_id_token",
            "client-encrypt_userinfo-parameter": "encrypt_userinfo",
            "auth-type-token-enabled": True, "auth-type-id-token-enabled": True, "auth-type-client-enabled": True,
            "request-parameter-allow": True, "request-parameter-ietf-strict": False, "request-maximum-exp": 3600,
            "client-pubkey-parameter": "pubkey", "client-jwks-parameter": "jwks",
            "client-jwks_uri-parameter": "jwks_uri",
            "oauth-par-allowed": True, "oauth-par-required": False, "oauth-par-duration": 90,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
            "oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 60, "oauth-dpop-iat-gap-duration": 5,
            "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 100,
            "oauth-dpop-dpop_bound_access_tokens-property": "dpop_bound_access_tokens",
            "oauth-fapi-allow-jarm": True, "oauth-fapi-add-s_hash": True, "oauth-fapi-verify-nbf": False,
            "auth-type-device-enabled": True, "device-authorization-expiration": 600,
            "device-authorization-interval": 1,
            "register-client-allowed": True, "register-client-auth-scope": [],
            "register-client-credentials-scope": scopes, "register-client-management-allowed": True,
            "register-client-token-one-use": False,
            "resource-allowed": False, "oauth-rar-allowed": False,
        }

    # The login page is a script over a JSON interface, so this does what the script does: authenticate, grant, and go
    # back to the authorization endpoint with the mark that says that the page has been seen.

    def _walk(self, robot, address, grant):
        for _ in range(6):
            reply = robot.get(address)
            target = reply.location
            if target is None:
                posted = form_to(reply, self.redirect)
                if posted is not None:
                    return posted
                raise Stuck(f"the authorization endpoint answered HTTP {reply.status} {reply.text[:200]}")
            if target.startswith(self.redirect):
                return target
            if "/login.html" not in target:
                address = target
                continue
            asked = query(target)
            self._identify(robot, asked, grant)
            address = self._onward(asked)
        raise AssertionError("the server leads in a circle")

    def _identify(self, robot, asked, grant):
        robot.json("POST", self.api + "/auth/", {"username": ALICE.name, "password": ALICE.password})
        if "client_id" in asked:
            scope = {"scope": grant(asked.get("scope", ""))}
            robot.json("PUT", f"{self.api}/auth/grant/{asked['client_id']}", scope)

    def _onward(self, asked):
        back = asked["callback_url"]
        return back + ("&" if "?" in back else "?") + "g_continue"

    def sign_in(self, robot, address):
        return self._walk(robot, address, lambda asked: asked)

    def deny(self, robot, address):
        raise Skip("the server knows no refusal: a user who grants nothing is signed in with `openid` alone")

    def approve(self, robot, address):
        """Plays the user whom a device has sent to an address: the same pages, until the last of them."""
        for _ in range(6):
            target = robot.get(address).location or ""
            asked = query(target)
            if asked.get("prompt") == "deviceComplete":
                return
            self._identify(robot, asked, lambda scope: scope or self.scope)
            address = self._onward(asked)
        raise AssertionError("the device was not approved: " + target.partition("?")[0])

    def sign_out(self, robot, address):
        # The page asks whether the session is to end; its Yes deletes the session and goes where the server said.
        target = robot.get(address).location
        asked = query(target or "")
        if "sid" not in asked:
            raise AssertionError("the server does not lead to its logout page")
        reply = robot.send("DELETE", f"{self.issuer}/session/{asked['sid']}")
        if reply.status != 200:
            raise AssertionError(f"the session was not deleted: HTTP {reply.status}")
        if "callback_url" not in asked:
            raise AssertionError("the logout page leads nowhere: " + target)
        return asked["callback_url"]

    def consent_in_part(self, robot, address):
        return self._walk(robot, address, lambda _: "openid")

    def refused_request(self):
        return self.clients["no-code"], {}

    def browse(self, browser):
        browser.type("#username", ALICE.name)
        browser.type("#password", ALICE.password)
        browser.picture("login-page")
        browser.click("#loginBut, button[type=submit], button.btn-primary")

    def browse_on(self, browser):
        # One page for the scopes, one to go on.
        browser.click_if_there("button.btn-success, button.btn-primary, button[type=submit]")
