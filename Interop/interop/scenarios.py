"""What is played against every server.

A scenario is a function of a `Stage`; it returns, or raises AssertionError or Skip. The scenarios run in the order in
which they stand here; those of `needs_login` go on with the account that `login` made.
"""

import base64
import hashlib
import json
import os
import secrets
import shutil
import stat
import threading
import time
from urllib.parse import urlencode, urlsplit, urlunsplit

from .browser import Browser
from .robot import Robot, query
from .server import ALICE, CLIENTS, SCHEME, Client, Skip
from .tern import Tern, find

SCENARIOS = []
FIRST = "login, public"  # how the title of the login begins that the others go on from


def scenario(title, needs_login=False):
    def register(function):
        SCENARIOS.append((title, function, needs_login))
        return function

    return register


class Stage:
    """A server, the command, and what the scenarios hand to each other."""

    def __init__(self, server, path, folder):
        self.server = server
        self._path = path
        self._folder = folder
        self.signed_in = False
        self.secrets = {client.secret for client in server.clients.values() if client.secret}
        self._commands = []
        self.main = self.fresh("main")

    def fresh(self, name):
        """The command with an empty store."""
        tern = Tern(self._path, self._folder / name, self.server.clients.values())
        self._commands.append(tern)
        return tern

    def user_info(self, token):
        """The status of the user info endpoint for an access token, asked past the command."""
        headers = {"Authorization": f"Bearer {token}"}
        return Robot().get(self.server.metadata["userinfo_endpoint"], headers).status

    def access_token(self, tern, *options):
        """What `tern token` prints: the token, one line, nothing else."""
        output = tern.run("token", *options).expect().output
        token = output.removesuffix("\n")
        assert token and not any(character.isspace() for character in token), "more than a token on standard output"
        self.secrets.add(token)
        self.secrets |= tern.stored_tokens()
        return token

    def deliver(self, address):
        """Visits the redirect address, as the browser would; returns what the user sees."""
        self.secrets.update(value for name, value in query(address).items() if name == "code")
        return Robot().get(address)

    def log_in(self, tern, client, play=None, **options):
        """A whole sign-in with the robot; returns the command's result."""
        login = tern.login(self.server, client, **options)
        try:
            address = login.address()
            asked = query(address)
            assert asked.get("response_type") == "code" and asked.get("code_challenge_method") == "S256", "no PKCE"
            for name in ("state", "nonce"):
                assert len(asked.get(name, "")) >= 22, f"{name} is missing or has less than 128 bits"
            self.secrets.add(asked["state"])
            answer = (play or self.server.sign_in)(Robot(), address)
            page = self.deliver(answer)
            assert page.status == 200 or "error" in query(answer), f"the user's last page is HTTP {page.status}"
            result = tern.finish(login)
            self.secrets |= tern.stored_tokens()
            return result
        finally:
            login.close()

    def check_account(self, tern):
        """The stored account works: `whoami` names the user, and the access token is good."""
        claims = tern.run("whoami", "--json").expect().json
        assert find(claims, "sub"), "`whoami` names no subject"
        assert self.user_info(self.access_token(tern)) == 200, "the server refuses the access token"
        return claims

    def check_nothing_stored(self, tern):
        accounts = tern.run("accounts", "--json").expect().json
        assert find(accounts, "sub") is None and find(accounts, "issuer") is None, "an account was stored all the same"


@scenario("login, public client with PKCE")
def login(stage):
    stage.log_in(stage.main, CLIENTS["public"]).expect()
    stage.signed_in = True
    header = json.loads(_part(stage, 0))
    assert header["alg"] == stage.server.algorithm, f"the server signs with {header['alg']}"
    for folder, _, files in os.walk(stage.main.store):
        for path, limit in [(folder, 0o700), *((os.path.join(folder, name), 0o600) for name in files)]:
            mode = stat.S_IMODE(os.stat(path).st_mode)
            assert mode & ~limit == 0, f"a part of the store has mode {mode:o}"


def _part(stage, index):
    """A part of an ID token that the server really sends, so that the table says true things about algorithms."""
    verifier, answer = _code(stage)
    reply = _exchange(stage, answer, verifier)
    assert reply.status == 200, f"the server gives no token to the harness: HTTP {reply.status}"
    part = reply.json()["id_token"].split(".")[index]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


@scenario("login, real Chromium")
def login_chromium(stage):
    tern = stage.fresh("chromium")
    browser = Browser(tern.home)
    login = None
    try:
        login = _login_in(browser, tern, stage.server)
        stage.server.browse(browser)
        end = time.monotonic() + 20
        while not browser.address.startswith(stage.server.redirect):
            assert time.monotonic() < end, f"the browser is stuck at {browser.address.split('?')[0]}"
            stage.server.browse_on(browser)
        browser.picture("last-page")
        assert "You are signed in" in browser.text, f"the user's last page says: {browser.text.strip()[:200]!r}"
        tern.finish(login).expect()
    finally:
        if login is not None:
            login.close()
        browser.stop()
    stage.check_account(tern)


def _login_in(browser, tern, server, client=CLIENTS["public"], **options):
    """Starts `tern login`, which starts the user's browser with the address."""
    # The command starts this script as that browser; it hands the address over to the driver.
    script = tern.home / "browser"
    handed = tern.home / "address"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" >"{handed}.new" && mv "{handed}.new" "{handed}"\n')
    script.chmod(0o755)
    login = tern.login(server, client, browser=script, **options)
    end = time.monotonic() + 20
    while not handed.exists():
        if time.monotonic() > end:
            login.close()
            raise AssertionError("the command did not start the browser that $BROWSER names")
        time.sleep(0.02)
    browser.open(handed.read_text())
    return login


def _through_the_desktop(name, is_killed):
    def play(stage):
        if shutil.which("xdg-open") is None:
            raise Skip("this machine has no xdg-open")
        tern = stage.fresh(name)
        tern.run("scheme", "install", SCHEME).expect()
        parts = urlsplit(stage.server.issuer)
        browser = Browser(
            tern.home, always_open=(SCHEME, f"{parts.scheme}://{parts.netloc}"), environment=_bare_desktop(tern.home)
        )
        login = None
        try:
            login = _login_in(browser, tern, stage.server, redirect=stage.server.scheme_redirect)
            stage.check_nothing_stored(tern)
            if is_killed:
                login.close()
            stage.server.browse(browser)
            end = time.monotonic() + 30
            while not (_has_account(tern) if is_killed else login.has_ended):
                assert time.monotonic() < end, f"no answer came back; the browser is at {browser.address.split('?')[0]}"
                stage.server.browse_on(browser)
                time.sleep(0.1)
            if not is_killed:
                tern.finish(login).expect()
        finally:
            if login is not None:
                login.close()
            browser.stop()
        stage.secrets |= tern.stored_tokens()
        stage.check_account(tern)
        tern.run("scheme", "remove", SCHEME).expect()
        left = [path.name for path in tern.home.rglob("*.desktop") if SCHEME in path.name]
        assert not left and SCHEME not in (tern.home / ".config/mimeapps.list").read_text(), "`scheme remove` left a trace"

    return play


def _bare_desktop(home):
    """A user without a desktop. xdg-open looks at desktop entries only where $DISPLAY is set; nothing connects there."""
    return {
        "XDG_CURRENT_DESKTOP": "X-Generic", "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CONFIG_HOME": str(home / ".config"), "DISPLAY": os.environ.get("DISPLAY") or ":0",
    }


def _has_account(tern):
    return find(tern.run("accounts", "--json").expect().json, "issuer") is not None


scenario("login, real Chromium, back through xdg-open")(_through_the_desktop("scheme", is_killed=False))
scenario("the same, the waiting process killed")(_through_the_desktop("scheme-killed", is_killed=True))


@scenario("login, pasted callback")
def paste(stage):
    # The user's browser is elsewhere: nothing listens at the redirect address.
    tern = stage.fresh("paste")
    login = tern.login(stage.server, CLIENTS["public"], paste=True)
    try:
        answer = stage.server.sign_in(Robot(), login.address())
        stage.secrets.update((answer, query(answer)["code"]))
        login.paste(answer)
        tern.finish(login).expect()
    finally:
        login.close()
    stage.check_account(tern)


@scenario("user info", needs_login=True)
def user_info(stage):
    claims = stage.check_account(stage.main)
    assert find(claims, "email") == ALICE.email, "`whoami` has not the user's address"


@scenario("API call", needs_login=True)
def call(stage):
    answer = stage.main.run("call", stage.server.metadata["userinfo_endpoint"]).expect()
    claims = stage.main.run("whoami", "--json").expect().json
    assert answer.json["sub"] == find(claims, "sub"), "the API and `whoami` name different users"


@scenario("refresh with rotation", needs_login=True)
def refresh(stage):
    tokens = [stage.access_token(stage.main)]
    assert stage.access_token(stage.main) == tokens[0], "a valid token was not used again"
    # Twice, so that the second one shows that the rotated refresh token was stored.
    for _ in range(2):
        time.sleep(1.1)  # tokens that are JWTs can be alike within one second
        tokens.append(stage.access_token(stage.main, "--refresh"))
    assert len(set(tokens)) == 3, "a refresh brought no new token"
    assert stage.user_info(tokens[-1]) == 200, "the server refuses the refreshed token"


@scenario("8 processes refresh at once", needs_login=True)
def concurrent_refresh(stage):
    # With rotation, the second use of one refresh token would kill the grant.
    results = []

    def refresh_once():
        results.append(stage.main.run("token", "--refresh", "--json"))

    threads = [threading.Thread(target=refresh_once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8, "a command hangs"
    for result in results:
        result.expect()
    assert stage.user_info(stage.access_token(stage.main, "--refresh")) == 200, "the grant did not survive"


@scenario("logout", needs_login=True)
def logout(stage):
    # What the server thinks of revocation must not keep anybody signed in here.
    _log_out(stage, stage.main, CLIENTS["public"])
    stage.main.run("token", "--json").expect_error("signed_out", 3)


def _log_out(stage, tern, client):
    report = tern.run("logout", "--json").expect().json
    due = "done" if client.authentication in stage.server.revocation_methods else "failed: http_status"
    assert report["revocation"] == due, f"the report says of the revocation: {report['revocation']}"
    stage.check_nothing_stored(tern)


@scenario("logout, in the browser too")
def browser_logout(stage):
    tern = stage.fresh("browser-logout")
    robot = Robot()  # one browser for both, since the server's session is in its cookies
    stage.log_in(tern, CLIENTS["public"], lambda _, address: stage.server.sign_in(robot, address)).expect()
    logout = tern.logout()
    try:
        page = stage.deliver(stage.server.sign_out(robot, logout.address()))
        assert page.status == 200 and "You are signed out" in page.text, f"the last page is HTTP {page.status}"
        report = tern.finish(logout).expect().json
        assert report["end_session"] == "done", f"the report says of the session: {report['end_session']}"
    finally:
        logout.close()
    stage.check_nothing_stored(tern)


@scenario("revocation")
def revocation(stage):
    tern = stage.fresh("revocation")
    stage.log_in(tern, CLIENTS[stage.server.revoker]).expect()
    # A copy of the store plays the thief: its refresh token works now and must be dead after the logout.
    copy = tern.home / "stolen"
    stage.access_token(tern, "--refresh")
    shutil.copytree(tern.store, copy)
    tern.run("token", store=copy).expect()
    _log_out(stage, tern, CLIENTS[stage.server.revoker])
    tern.run("token", "--refresh", "--json", store=copy).expect_error(*stage.server.dead_grant)


def _confidential(name, authentication=None):
    def play(stage):
        client = CLIENTS[name]
        tern = stage.fresh(name)
        options = {"client-auth": authentication} if authentication else {}
        stage.log_in(tern, client, **options).expect()
        stage.check_account(tern)
        stage.access_token(tern, "--refresh")
        _log_out(stage, tern, client)

    return play


scenario("confidential client, basic")(_confidential("basic"))
scenario("confidential client, post")(_confidential("post"))
scenario("confidential client, raw basic")(_confidential("awkward", "raw-basic"))


@scenario("consent given in part")
def partial_consent(stage):
    tern = stage.fresh("partial")
    stage.log_in(tern, CLIENTS["public"], stage.server.consent_in_part).expect()
    claims = stage.check_account(tern)
    assert find(claims, "email") is None, "a claim came whose scope was not granted"


@scenario("refused: wrong client secret")
def wrong_secret(stage):
    tern = stage.fresh("wrong-secret")
    result = stage.log_in(
        tern, CLIENTS["basic"], environment={"WRONG": "not-the-secret"}, **{"client-secret-env": "WRONG"}
    )
    result.expect_error(stage.server.wrong_secret)
    stage.check_nothing_stored(tern)


@scenario("refused: wrong redirect address")
def wrong_redirect(stage):
    _page_refusal(stage, "wrong-redirect", CLIENTS["public"], redirect=_sibling(stage.server.redirect))


@scenario("refused: unknown client")
def unknown_client(stage):
    _page_refusal(stage, "unknown-client", Client("nobody", "none"))


def _sibling(address):
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=parts.path + "/elsewhere"))


def _page_refusal(stage, name, client, **options):
    """The server must not redirect, so the user sees its page, comes back to the terminal and presses Ctrl-C."""
    tern = stage.fresh(name)
    login = tern.login(stage.server, client, **options)
    try:
        reply = Robot().get(login.address())
        assert reply.status >= 400 and reply.location is None, f"the server went on: HTTP {reply.status}"
        tern.interrupt(login).expect_error("cancelled", 130)
    finally:
        login.close()
    stage.check_nothing_stored(tern)


@scenario("refused: issuer of another name")
def other_issuer(stage):
    tern = stage.fresh("other-issuer")
    login = tern.login(stage.server, CLIENTS["public"], issuer=stage.server.alias)
    try:
        tern.finish(login).expect_error("issuer_mismatch")
    finally:
        login.close()
    stage.check_nothing_stored(tern)


@scenario("refused: wrong PKCE verifier")
def wrong_verifier(stage):
    # The command cannot be made to send a wrong verifier, so the harness asks the server itself: a code that somebody
    # has stolen is worth nothing without the verifier, and the right verifier is accepted.
    verifier, answer = _code(stage)
    for wrong in (secrets.token_urlsafe(48), None):
        reply = _exchange(stage, answer, wrong)
        refused = 400 <= reply.status < 500 and "access_token" not in reply.json()
        assert refused, f"HTTP {reply.status} for a wrong verifier"
        verifier, answer = _code(stage)
    assert _exchange(stage, answer, verifier).status == 200, "the right verifier is refused too"


def _code(stage):
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    parameters = {
        "response_type": "code", "client_id": CLIENTS["public"].id, "redirect_uri": stage.server.redirect,
        "scope": stage.server.scope, "state": secrets.token_urlsafe(16), "nonce": secrets.token_urlsafe(16),
        "code_challenge": challenge, "code_challenge_method": "S256",
    }
    address = stage.server.metadata["authorization_endpoint"] + "?" + urlencode(parameters)
    return verifier, query(stage.server.sign_in(Robot(), address))["code"]


def _exchange(stage, code, verifier):
    fields = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": stage.server.redirect,
        "client_id": CLIENTS["public"].id,
    }
    if verifier is not None:
        fields["code_verifier"] = verifier
    return Robot().post(stage.server.metadata["token_endpoint"], fields)


@scenario("refused: access denied")
def denied(stage):
    _callback_refusal(stage, "denied", CLIENTS["public"], stage.server.deny, "access_denied")


@scenario("refused: prompt=none, nobody there")
def silent(stage):
    if stage.server.silent_refusal is None:
        raise Skip("the server shows its login page in spite of prompt=none")
    _callback_refusal(
        stage, "silent", CLIENTS["public"], stage.server.refuse, stage.server.silent_refusal, prompt="none"
    )


@scenario("refused: error in the callback")
def callback_error(stage):
    client, options = stage.server.refused_request()
    _callback_refusal(stage, "callback-error", client, stage.server.refuse, stage.server.refused_code, **options)


def _callback_refusal(stage, name, client, play, code, **options):
    tern = stage.fresh(name)
    stage.log_in(tern, client, play, **options).expect_error(code)
    stage.check_nothing_stored(tern)


@scenario("no secret in any output")
def silence(stage):
    said = "\n".join(text for tern in stage._commands for text in tern.said)
    said = "\n".join(line for line in said.splitlines() if not line.startswith("Open this address: "))
    assert said or not stage.signed_in, "nothing was recorded"
    leaked = sum(secret in said for secret in stage.secrets)
    assert leaked == 0, f"{leaked} of {len(stage.secrets)} tokens, codes, states and client secrets were printed"
