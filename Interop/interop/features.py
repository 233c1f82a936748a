"""What is played against the servers that offer it: further grants, client identities, hardenings and response modes.

Where this build of the command does not know the option yet, the cell is skipped and says so.
"""

import base64
import json
import socket
import time
from urllib.parse import urlencode, urlsplit, urlunsplit

from . import doctor, stage as shared  # doctor: its scenarios are played before these
from .keys import OPENS, client_key
from .process import Document
from .robot import FormPost, Robot, parameters, query
from .scenarios import FIRST, SCENARIOS, Stage, scenario
from .server import Client, Skip
from .tern import find

__all__ = ["FIRST", "SCENARIOS", "Stage", "doctor"]


# Metadata and the issuer in the answer


@scenario("metadata of RFC 8414 alone", feature="rfc8414")
def oauth_metadata(stage):
    server = stage.server
    status = Robot().get(server.issuer + "/.well-known/openid-configuration").status
    assert status == 404, f"the server answers {status} at the address of OpenID Connect"
    tern = stage.fresh("rfc8414")
    stage.log_in(tern, stage.client).expect()
    stage.check_account(tern)


@scenario("revocation that RFC 8414 metadata alone announce", feature="rfc8414 more")
def announced_elsewhere(stage):
    server = stage.server
    parts = urlsplit(server.issuer)
    address = urlunsplit(parts._replace(path="/.well-known/oauth-authorization-server" + parts.path))
    more = Robot().get(address).json()
    assert "revocation_endpoint" in more and "revocation_endpoint" not in server.metadata, "both say the same"
    tern = stage.fresh("rfc8414-more")
    stage.log_in(tern, stage.client).expect()
    report = tern.run("logout", "--json").expect().json
    if report["revocation"] == "not_offered":
        raise Skip("the command reads the metadata of OpenID Connect alone where there are two documents")
    assert report["revocation"] == "done", f"the report says of the revocation: {report['revocation']}"


def _with(stage, change):
    """A sign-in whose answer is changed on its way back."""

    def play(robot, address):
        answer = stage.server.sign_in(robot, address)
        parts = urlsplit(answer)
        fields = parameters(answer)
        assert fields.get("iss") == stage.server.issuer, f"the answer names the issuer {fields.get('iss')}"
        return urlunsplit(parts._replace(query=urlencode(change(fields))))

    return play


@scenario("issuer in the answer (RFC 9207)", feature="iss")
def answer_issuer(stage):
    tern = stage.fresh("iss")
    stage.log_in(tern, stage.client, _with(stage, lambda fields: fields)).expect()
    stage.check_account(tern)


@scenario("refused: another issuer in the answer", feature="iss")
def other_answer_issuer(stage):
    tern = stage.fresh("other-iss")
    play = _with(stage, lambda fields: {**fields, "iss": "https://attacker.example"})
    stage.log_in_by_paste(tern, stage.client, play).expect_error("issuer_mismatch")
    stage.check_nothing_stored(tern)


@scenario("refused: no issuer in the answer, though announced", feature="iss announced")
def no_answer_issuer(stage):
    assert stage.server.metadata["authorization_response_iss_parameter_supported"] is True, "it is not announced"
    tern = stage.fresh("no-iss")
    play = _with(stage, lambda fields: {name: value for name, value in fields.items() if name != "iss"})
    stage.log_in_by_paste(tern, stage.client, play).expect_error("issuer_mismatch")
    stage.check_nothing_stored(tern)


@scenario("the server's keys rotated", feature="rotated keys")
def rotated_keys(stage):
    old, new = stage.fresh("old-keys"), stage.fresh("new-keys")
    stage.log_in(old, stage.client).expect()

    def play(robot, address):
        # The command has the old keys by now.
        stage.server.rotate_keys()
        return stage.server.sign_in(robot, address)

    stage.log_in(new, stage.client, play).expect()
    for tern in (old, new):
        stage.access_token(tern, "--refresh")
        stage.check_account(tern)


# How clients prove who they are


def _client_identity(role, word):
    def play(stage):
        stage.require("login", word)
        client = stage.server.clients[role]
        tern = stage.fresh(role)
        stage.log_in(tern, client).expect()
        stage.check_account(tern)
        stage.access_token(tern, "--refresh")
        tern.run("logout", "--json").expect()
        stage.check_nothing_stored(tern)

    return play


scenario("client authentication: private_key_jwt", feature="key")(_client_identity("key", "private-key-jwt"))
scenario("client authentication: client_secret_jwt", feature="mac")(_client_identity("mac", "client-secret-jwt"))


@scenario("client ID is the address of its metadata", feature="client document")
def client_document(stage):
    def content(address):
        return {
            "client_id": address, "client_name": "Tern", "redirect_uris": [stage.server.redirect],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "none", "scope": stage.server.scope,
        }

    if {found[4][0] for found in socket.getaddrinfo("localhost", None)} != {"127.0.0.1"}:
        raise Skip("the server fetches no documents from `localhost` where that has another address than 127.0.0.1")
    tern = stage.fresh("client-document")
    with Document(stage.server.document_port, stage.server.certificate, content) as address:
        stage.log_in(tern, Client(address, "none")).expect()
        stage.check_account(tern)


# Pushed requests and bound tokens


@scenario("pushed request (PAR)", feature="par")
def pushed(stage):
    stage.require("login", "--par")
    for role in ("public", "basic"):
        tern = stage.fresh(f"par-{role}")
        stage.log_in(tern, stage.server.clients[role], _pushed(stage), par=True).expect()
        stage.check_account(tern)


def _pushed(stage):
    def play(robot, address):
        asked = query(address)
        assert "request_uri" in asked and "client_id" in asked, "the request was not pushed"
        assert "code_challenge" not in asked and "state" not in asked, "what was pushed stands in the address too"
        return stage.server.sign_in(robot, address)

    return play


@scenario("signed request (JAR)", feature="jar")
def signed_request(stage):
    stage.require("login", "--jar", "private-key-jwt")

    def play(robot, address):
        asked = query(address)
        assert "request" in asked, "the request is not signed"
        assert "code_challenge" not in asked and "state" not in asked, "what was signed stands in the address too"
        return stage.server.sign_in(robot, address)

    tern = stage.fresh("jar")
    stage.log_in(tern, stage.server.clients["key"], play, jar=True).expect()
    stage.check_account(tern)


@scenario("tokens bound to a key (DPoP, nonces)", feature="dpop")
def bound(stage):
    stage.require("login", "--dpop")
    tern = stage.fresh("dpop")
    stage.log_in(tern, stage.client, dpop=True).expect()
    _check_bound(stage, tern)


def _check_bound(stage, tern):
    """The token works with the key alone, and so does its successor."""
    for options in ((), ("--refresh",)):
        token = stage.access_token(tern, *options)
        status = stage.user_info(token)
        assert status in (400, 401, 403), f"the token works as a bearer token: HTTP {status}"
        assert find(tern.run("whoami", "--json").expect().json, "sub"), "`whoami` names no subject"
        tern.run("call", stage.server.metadata["userinfo_endpoint"]).expect()
        time.sleep(1.1)  # tokens that are JWTs can be alike within one second


@scenario("PAR, DPoP and private_key_jwt in one login", feature="par dpop key")
def hardened(stage):
    stage.require("login", "--par", "--dpop", "private-key-jwt")
    tern = stage.fresh("hardened")
    stage.log_in(tern, stage.server.clients["key"], _pushed(stage), par=True, dpop=True).expect()
    _check_bound(stage, tern)
    tern.run("logout", "--json").expect()
    stage.check_nothing_stored(tern)


# How the answer comes back


def _response_mode(mode):
    def play(stage):
        stage.require("login", "--response-mode")
        tern = stage.fresh("mode-" + mode)
        is_fragment = mode.startswith("fragment")

        def checked(robot, address):
            assert query(address).get("response_mode") == mode, "the mode was not asked for"
            answer = stage.server.sign_in(robot, address)
            is_posted = isinstance(answer, FormPost)
            assert is_posted == mode.startswith("form_post"), f"the answer to {mode} is not such a one"
            assert is_posted or bool(urlsplit(answer).fragment) == is_fragment, f"the answer to {mode} is not such a one"
            assert ("response" in parameters(answer)) == mode.endswith("jwt"), "the answer is not signed as it should be"
            return answer

        # What runs the page that reads a fragment is a real browser.
        log_in = stage.log_in_by_paste if is_fragment else stage.log_in
        log_in(tern, stage.client, checked, **{"response-mode": mode}).expect()
        stage.check_account(tern)

    return play


scenario("response mode form_post", feature="form_post")(_response_mode("form_post"))
scenario("response mode fragment", feature="fragment")(_response_mode("fragment"))
for _mode in ("query.jwt", "fragment.jwt", "form_post.jwt"):
    scenario(f"response mode {_mode} (JARM)", feature="jarm")(_response_mode(_mode))


def _hybrid(response_type):
    def play(stage):
        options = {"response-type": response_type, **stage.server.hybrid_options}
        stage.require("login", *(f"--{name}" for name in options))
        tern = stage.fresh("hybrid-" + response_type.replace(" ", "-"))

        def checked(robot, address):
            answer = stage.server.sign_in(robot, address)
            due = {{"token": "access_token"}.get(word, word) for word in response_type.split()}
            missing = due - parameters(answer).keys()
            assert not missing, f"the answer lacks {', '.join(missing)}"
            return answer

        login = stage.log_in_by_paste(tern, stage.server.client("hybrid"), checked, **options)
        if stage.server.forgets_issuer and "id_token" not in response_type:
            # Nothing says who answered, although the metadata promise that something does.
            login.expect_error("issuer_mismatch")
            stage.check_nothing_stored(tern)
            return
        login.expect()
        stage.check_account(tern)

    return play


scenario("hybrid, code id_token", feature="hybrid")(_hybrid("code id_token"))
for _type in ("code token", "code id_token token"):
    scenario(f"hybrid, {_type}", feature="hybrid token")(_hybrid(_type))


def _in_chromium(title, **options):
    def play(stage):
        stage.require("login", *(f"--{name}" for name in options))
        tern = stage.fresh(title)
        stage.log_in_by_browser(tern, stage.server.client("hybrid"), **options)
        stage.check_account(tern)

    return play


scenario("response mode form_post, real Chromium", feature="browser form_post")(
    _in_chromium("chromium-form-post", **{"response-mode": "form_post"})
)
scenario("hybrid, code id_token, real Chromium", feature="browser hybrid")(
    _in_chromium("chromium-hybrid", **{"response-type": "code id_token"})
)


# Other grants


@scenario("device", feature="device")
def device(stage):
    _sign_in_device(stage, "device")


@scenario("device, told to slow down", feature="slow down")
def slow_device(stage):
    # The service thinks that the first poll comes too early; the next one must wait for five seconds more.
    stage.require("login", "--device")
    before = stage.server.log().count("slow_down")
    start = time.monotonic()
    _sign_in_device(stage, "slow-device", lambda: stage.server.log().count("slow_down") > before)
    assert stage.server.log().count("slow_down") == before + 1, "the command did not slow down"
    assert time.monotonic() - start >= 6, "the command did not wait for five seconds more"


def _sign_in_device(stage, name, is_time=lambda: True):
    server = stage.server
    options = {"device": True, "scope": server.device_scope or server.scope}
    if server.device_endpoint is not None:
        options["device-authorization-url"] = server.device_endpoint
    stage.require("login", *(f"--{option}" for option in options))
    tern = stage.fresh(name)
    login = tern.login(server, server.client("device"), **options)
    try:
        shown = login.event("device_code")
        end = time.monotonic() + 20
        while not is_time():
            assert time.monotonic() < end, "the server did not get as far as it should"
            time.sleep(0.05)
        code = {"user_code": shown["user_code"]}
        address = shown.get("verification_uri_complete") or f"{shown['verification_uri']}?{urlencode(code)}"
        server.approve(Robot(), address)
        tern.finish(login).expect()
    finally:
        login.close()
    stage.secrets |= tern.stored_tokens()
    stage.access_token(tern, "--refresh")
    if server.device_scope is None:
        stage.check_account(tern)


@scenario("token exchange (RFC 8693)", feature="exchange")
def exchange(stage):
    stage.require("exchange", "--requested-type")
    tern = stage.fresh("exchange")
    stage.log_in(tern, stage.server.clients["basic"]).expect()
    old = stage.access_token(tern)
    answer = tern.run("exchange", "--json", "--requested-type", "access_token", is_secret=True).expect().json
    new = find(answer, "access_token")
    assert new and new != old, "the exchange brought no new token"
    stage.secrets.add(new)
    assert find(answer, "issued_token_type").endswith(":access_token"), "the answer has another type"
    assert stage.user_info(new) == 200, "the server refuses the new token"


@scenario("client credentials", feature="machine")
def machine(stage):
    stage.require("token", "--client-credentials")
    client = stage.server.clients.get("machine") or stage.server.clients["basic"]
    tern = stage.fresh("machine")
    options = [
        "--issuer", stage.server.issuer, "--client-id", client.id, "--client-auth", client.authentication,
        "--client-secret-env", tern.secret_of(client), "--scope", stage.server.machine_scope,
    ]
    token = tern.run("token", "--client-credentials", *options).expect().output.strip()
    assert token and not any(character.isspace() for character in token), "more than a token on standard output"
    stage.secrets.add(token)


# Registration, resources, tokens of other forms


@scenario("registration (RFC 7591)", feature="register")
def register(stage):
    _register(stage, "register")


@scenario("registration, changed and deleted (RFC 7592)", feature="manage")
def manage(stage):
    tern, answer = _register(stage, "manage")
    stage.require("register", "--delete")
    tern.run("register", "--delete", find(answer, "client_id"), "--issuer", stage.server.issuer, "--json").expect()


def _register(stage, name):
    stage.require("register", "--issuer", "--redirect")
    server, tern = stage.server, stage.fresh(name)
    scope = server.registered_scope or server.scope
    words = ["--issuer", server.issuer, "--redirect", server.redirect, "--client-auth", "none", "--scope", scope]
    answer = tern.run("register", *words, "--json", is_secret=True).expect().json
    for secret in ("client_secret", "registration_access_token"):
        if find(answer, secret):
            stage.secrets.add(find(answer, secret))
    if server.can_sign_in_registered:
        client = Client(find(answer, "client_id"), "none")
        stage.log_in(tern, client, scope=scope).expect()
        assert stage.access_token(tern), "there is no token"
    return tern, answer


@scenario("sign-in for a resource (RFC 9728)", feature="resource metadata")
def resource(stage):
    stage.require("login", "--resource")
    # The resource alone is known; its metadata name the server.
    tern = stage.fresh("resource")
    options = {"issuer": None, "resource": stage.server.resource}
    stage.log_in(tern, stage.client, **options).expect()
    tern.run("call", stage.server.resource + "/api/me").expect()


@scenario("user info as a signed JWT", feature="signed user info")
def signed_user_info(stage):
    client = stage.server.clients["signed"]
    tern = stage.fresh("signed")
    stage.log_in(tern, client).expect()
    headers = {"Authorization": f"Bearer {stage.access_token(tern)}"}
    reply = Robot().get(stage.server.metadata["userinfo_endpoint"], headers)
    assert reply.headers.get_content_type() == "application/jwt", "the server does not sign its user info"
    header = reply.text.partition(".")[0]
    name = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["alg"]
    assert name == stage.server.signed_user_info, f"the server signs with {name}"
    assert find(tern.run("whoami", "--json").expect().json, "sub"), "`whoami` names no subject"


@scenario("encrypted ID token and user info", feature="encrypted")
def encrypted(stage):
    stage.require("login", "--decryption-key")
    client = stage.server.clients["encrypted"]
    tern = stage.fresh("encrypted")
    stage.log_in(tern, client).expect()
    headers = {"Authorization": f"Bearer {stage.access_token(tern)}", "Accept": "application/jwt"}
    reply = Robot().get(stage.server.metadata["userinfo_endpoint"], headers)
    assert reply.text.count(".") == 4, "the server does not encrypt its user info"
    assert find(tern.run("whoami", "--json").expect().json, "sub"), "`whoami` names no subject"


@scenario("refused: encrypted ID token, another key", feature="encrypted")
def other_key(stage):
    stage.require("login", "--decryption-key")
    tern = stage.fresh("other-key")
    other = str(client_key(tern.home, "other", OPENS))
    result = stage.log_in(tern, stage.server.clients["encrypted"], **{"decryption-key": other})
    assert result.status == 1 and "id_token" in result.error_code, f"the login ended with {result.status}"
    stage.check_nothing_stored(tern)


@scenario("refused: ID token signed with the client's secret", feature="hs256")
def shared_key(stage):
    # The client is registered so at the server, and nobody has told the command.
    tern = stage.fresh("hs256")
    stage.log_in(tern, stage.server.clients["hs256"]).expect_error("id_token_unsupported_algorithm")
    stage.check_nothing_stored(tern)


@scenario("introspection, before and after a revocation", feature="introspection")
def introspection(stage):
    stage.require("introspect", "--account")
    tern = stage.fresh("introspect")
    stage.log_in(tern, stage.server.clients["basic"]).expect()
    answer = tern.run("introspect", "--json").expect().json
    assert find(answer, "active") is True, "the token is not active"
    if "basic" not in stage.server.revocation_methods:
        return
    stage.require("revoke", "--type")
    for kind in ("refresh", "access"):
        tern.run("revoke", "--type", kind, "--json").expect()
    answer = tern.run("introspect", "--json").expect(1).json
    assert find(answer, "active") is False, "the revoked token is still active"


@scenario("ID token verified")
def id_token(stage):
    _verify(stage, "--id-token")


@scenario("access token verified, a JWT", feature="jwt")
def access_token(stage):
    _verify(stage, "--access-token")


def _verify(stage, which):
    stage.require("jwt", which)
    tern = stage.fresh("jwt" + which)
    stage.log_in(tern, stage.client).expect()
    stage.access_token(tern)
    said = tern.run("jwt", "verify", which).expect().output
    assert said.startswith("VERIFIED"), f"the first words are {said.partition(chr(10))[0]!r}"


scenario("no secret in any output")(shared.silence)
