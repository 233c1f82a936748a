"""What is played against every server of OpenID Connect: the sign-in, what follows it, and refusals."""

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

from . import stage as shared
from .browser import Browser
from .robot import Robot, Stuck, parameters, query
from .server import ALICE, SCHEME, Client, Skip
from .tern import find

scenario = SCENARIOS = shared.Scenarios()
FIRST = "login, public"  # how the title of the login begins that the others go on from


class Stage(shared.Stage):
    proof = "code"
    first = "public"

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

    def check_request(self, address):
        asked = query(address)
        if "request_uri" in asked or "request" in asked:
            return
        assert "code" in asked.get("response_type", "") and asked.get("code_challenge_method") == "S256", "no PKCE"
        names = ("state", "nonce") if "openid" in asked.get("scope", "").split() else ("state",)
        for name in names:
            assert len(asked.get(name, "")) >= 22, f"{name} is missing or has less than 128 bits"
        self.secrets.add(asked["state"])

    def check_account(self, tern):
        """The stored account works: `whoami` names the user, and the access token is good."""
        claims = tern.run("whoami", "--json").expect().json
        assert find(claims, "sub"), "`whoami` names no subject"
        assert self.user_info(self.access_token(tern)) == 200, "the server refuses the access token"
        return claims


@scenario("login, public client with PKCE")
def login(stage):
    stage.log_in(stage.main, stage.client).expect()
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


scenario("login, real Chromium", feature="browser")(shared.chromium)


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
            login = stage.open_in(browser, tern, stage.client, redirect=stage.server.scheme_redirect)
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


scenario("login, real Chromium, back through xdg-open", feature="desktop")(_through_the_desktop("scheme", False))
scenario("the same, the waiting process killed", feature="desktop")(_through_the_desktop("scheme-killed", True))
scenario("login, pasted callback")(shared.paste)


@scenario("user info", needs_login=True)
def user_info(stage):
    claims = stage.check_account(stage.main)
    assert find(claims, "email") == ALICE.email, "`whoami` has not the user's address"


@scenario("API call", needs_login=True)
def call(stage):
    answer = stage.main.run("call", stage.server.metadata["userinfo_endpoint"]).expect()
    claims = stage.main.run("whoami", "--json").expect().json
    assert answer.json["sub"] == find(claims, "sub"), "the API and `whoami` name different users"


@scenario("refresh, twice", needs_login=True)
def refresh(stage):
    tokens = [stage.access_token(stage.main)]
    assert stage.access_token(stage.main) == tokens[0], "a valid token was not used again"
    # Twice, so that the second one shows that a rotated refresh token was stored.
    for _ in range(2):
        time.sleep(1.1)  # tokens that are JWTs can be alike within one second
        tokens.append(stage.access_token(stage.main, "--refresh"))
    assert len(set(tokens)) == 3, "a refresh brought no new token"
    assert stage.user_info(tokens[-1]) == 200, "the server refuses the refreshed token"


@scenario("API refuses the token: renewed, repeated", needs_login=True)
def renewed(stage):
    # Each server says it in its own way, some of them without a challenge.
    tern = stage.main
    address = stage.server.metadata["userinfo_endpoint"]
    tern.spoil_access_token()
    answer = tern.run("call", address)
    if stage.server.says_bad_token:
        assert answer.expect().json["sub"], "the API names no user"
    else:
        assert answer.status != 0, "a token that is no good was taken"
        stage.access_token(tern, "--refresh")
    stage.check_account(tern)


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
    _log_out(stage, stage.main, stage.client)
    stage.main.run("token", "--json").expect_error("signed_out", 3)


def _log_out(stage, tern, client):
    report = tern.run("logout", "--json").expect().json
    # The metadata of RFC 8414 may announce it alone.
    if "revocation_endpoint" not in stage.server.metadata and "rfc8414 more" not in stage.server.offers:
        due = "not_offered"
    else:
        due = "done" if client.authentication in stage.server.revocation_methods else f"failed: {stage.server.failed_revocation}"
    assert report["revocation"] == due, f"the report says of the revocation: {report['revocation']}"
    stage.check_nothing_stored(tern)


@scenario("logout, in the browser too", feature="end session")
def browser_logout(stage):
    tern = stage.fresh("browser-logout")
    robot = Robot()  # one browser for both, since the server's session is in its cookies
    stage.log_in(tern, stage.client, lambda _, address: stage.server.sign_in(robot, address)).expect()
    logout = tern.logout()
    try:
        page = stage.deliver(stage.server.sign_out(robot, logout.address()))
        assert page.status == 200 and "You are signed out" in page.text, f"the last page is HTTP {page.status}"
        report = tern.finish(logout).expect().json
        assert report["end_session"] == "done", f"the report says of the session: {report['end_session']}"
    finally:
        logout.close()
    stage.check_nothing_stored(tern)


@scenario("revocation", feature="revocation")
def revocation(stage):
    tern = stage.fresh("revocation")
    stage.log_in(tern, stage.server.clients[stage.server.revoker]).expect()
    # A copy of the store plays the thief: its refresh token works now and must be dead after the logout.
    copy = tern.home / "stolen"
    stage.access_token(tern, "--refresh")
    shutil.copytree(tern.store, copy)
    tern.run("token", store=copy).expect()
    _log_out(stage, tern, stage.server.clients[stage.server.revoker])
    tern.run("token", "--refresh", "--json", store=copy).expect_error(*stage.server.dead_grant)


def _confidential(name):
    def play(stage):
        client = stage.server.clients[name]
        tern = stage.fresh(name)
        modes = {"awkward": stage.server.basic, "blank": stage.server.blank_basic}
        options = {"client-auth": modes[name]} if name in modes else {}
        stage.log_in(tern, client, **options).expect()
        stage.check_account(tern)
        stage.access_token(tern, "--refresh")
        _log_out(stage, tern, client)

    return play


scenario("confidential client, basic")(_confidential("basic"))
scenario("confidential client, post")(_confidential("post"))
scenario("confidential client, basic, awkward secret")(_confidential("awkward"))
scenario("confidential client, basic, blanks in the secret")(_confidential("blank"))


@scenario("an awkward secret, encoded in the other way")
def other_basic(stage):
    # Half of the servers decode what Basic carries and half do not. A login must work or say why not, and name the switch.
    tern = stage.fresh("other-basic")
    other = "basic" if stage.server.basic == "raw-basic" else "raw-basic"
    result = stage.log_in(tern, stage.server.clients["awkward"], **{"client-auth": other})
    if stage.server.other_basic is None or result.status == 0:
        result.expect()
        stage.check_account(tern)
        return
    result.expect_error(stage.server.other_basic)
    is_told = stage.server.other_basic != "invalid_request"  # which can mean anything
    assert not is_told or "raw-basic" in result.errors, "the refusal does not name the switch --client-auth raw-basic"
    stage.check_nothing_stored(tern)


@scenario("consent given in part")
def partial_consent(stage):
    tern = stage.fresh("partial")
    stage.log_in(tern, stage.client, stage.server.consent_in_part).expect()
    claims = stage.check_account(tern)
    assert find(claims, "email") is None, "a claim came whose scope was not granted"


@scenario("refused: wrong client secret")
def wrong_secret(stage):
    tern = stage.fresh("wrong-secret")
    result = stage.log_in(
        tern, stage.server.clients["basic"], environment={"WRONG": "not-the-secret"}, **{"client-secret-env": "WRONG"}
    )
    result.expect_error(stage.server.wrong_secret)
    stage.check_nothing_stored(tern)


@scenario("refused: wrong redirect address")
def wrong_redirect(stage):
    _page_refusal(stage, "wrong-redirect", stage.client, redirect=_sibling(stage.server.redirect))


@scenario("refused: unknown client")
def unknown_client(stage):
    _page_refusal(stage, "unknown-client", Client("nobody", "none"))


def _sibling(address):
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=parts.path + "/elsewhere"))


def _page_refusal(stage, name, client, **options):
    """The server must not go on to the program. The user sees its page, goes back to the terminal and presses Ctrl-C."""
    tern = stage.fresh(name)
    login = tern.login(stage.server, client, **options)
    try:
        try:
            answer = stage.server.sign_in(Robot(), login.address())
        except Stuck:
            pass
        else:
            raise AssertionError("the server went on to " + str(answer).partition("?")[0])
        tern.interrupt(login).expect_error("cancelled", 130)
    finally:
        login.close()
    stage.check_nothing_stored(tern)


@scenario("refused: issuer of another name")
def other_issuer(stage):
    tern = stage.fresh("other-issuer")
    login = tern.login(stage.server, stage.client, issuer=stage.server.alias)
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
    asked = {
        "response_type": "code", "client_id": stage.client.id, "redirect_uri": stage.server.redirect,
        "scope": stage.server.scope, "state": secrets.token_urlsafe(16), "nonce": secrets.token_urlsafe(16),
        "code_challenge": challenge, "code_challenge_method": "S256",
        **({"prompt": stage.server.prompt} if stage.server.prompt else {}),
    }
    address = stage.server.metadata["authorization_endpoint"] + "?" + urlencode(asked)
    return verifier, parameters(stage.server.sign_in(Robot(), address))["code"]


def _exchange(stage, code, verifier):
    fields = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": stage.server.redirect,
        "client_id": stage.client.id,
    }
    if verifier is not None:
        fields["code_verifier"] = verifier
    return Robot().post(stage.server.metadata["token_endpoint"], fields)


scenario("refused: access denied")(shared.denied)


@scenario("refused: prompt=none, nobody there")
def silent(stage):
    if stage.server.silent_refusal is None:
        raise Skip(stage.server.silent_answer)
    _callback_refusal(stage, "silent", stage.client, stage.server.refuse, stage.server.silent_refusal, prompt="none")


@scenario("refused: error in the callback")
def callback_error(stage):
    client, options = stage.server.refused_request()
    _callback_refusal(stage, "callback-error", client, stage.server.refuse, stage.server.refused_code, **options)


def _callback_refusal(stage, name, client, play, code, **options):
    tern = stage.fresh(name)
    stage.log_in(tern, client, play, **options).expect_error(code)
    stage.check_nothing_stored(tern)
