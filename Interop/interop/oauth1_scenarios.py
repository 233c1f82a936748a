"""What is played against every server of OAuth 1.0a."""

import json
import re
from urllib.parse import parse_qsl, quote, urlencode

from . import stage as shared
from .oauth1_servers import CONSUMERS, METHODS, PLACES
from .robot import Robot
from .server import Client, Skip

scenario = SCENARIOS = shared.Scenarios()
FIRST = f"login, {METHODS[0]}, {PLACES[0]}"

# Where signatures go wrong: repeated, empty and bare parameters, their order, other scripts, reserved and encoded
# characters, the two ways to write a blank.
AWKWARD = [
    ("a3", "a"), ("a3", "2 q"), ("a3", "a"), ("a30", "0"), ("A3", "upper"), ("empty", ""), ("c@", "x"), ("é", "ü ☃ 𝄞"),
    ("reserved", ":/?#[]@!$&'()*+,;="), ("unreserved", "-._~"), ("percent", "%26 100%"), ("plus", "a+b c"),
]
QUERY = urlencode(AWKWARD, quote_via=quote, safe="") + "&bare&blank=a+b&raw=~!*()"
FORM = urlencode([*reversed(AWKWARD), ("status", "Hello Ladies + Gentlemen, a signed OAuth request!")])


def pairs(text):
    return [list(pair) for pair in parse_qsl(text, keep_blank_values=True)]


class Stage(shared.Stage):
    proof = "oauth_verifier"
    first = "hmac"

    @property
    def api(self):
        return self.server.address + "/api/me"

    def check_account(self, tern):
        self.check_api(tern)

    def check_api(self, tern, place="header"):
        """The API gets what was sent, under a good signature."""
        form = ("--header", "Content-Type: application/x-www-form-urlencoded", "--data-stdin")
        # A GET has no form to sign in.
        calls = [(("--method", "POST"), "")] if place == "form" else [((), "")]
        for options, body in [*calls, (form, FORM)]:
            answer = tern.run("call", f"{self.api}?{QUERY}", *options, data=body.encode()).expect().json
            assert answer["query"] == pairs(QUERY), f"the query came as {answer['query']}"
            assert answer["form"] == pairs(body), f"the form came as {answer['form']}"

    def refused(self, name, client, code, **options):
        """The server refuses the first leg, so no page is opened."""
        tern = self.fresh(name)
        login = tern.login(self.server, client, **options)
        try:
            tern.finish(login).expect_error(code)
        finally:
            login.close()
        self.check_nothing_stored(tern)


def _login(method, place):
    def play(stage):
        if method not in stage.server.methods:
            raise Skip("the library knows no such method")
        is_first = (method, place) == (METHODS[0], PLACES[0])
        tern = stage.main if is_first else stage.fresh(f"{method}-{place}")
        client = stage.server.clients[{"R": "rsa", "P": "plain"}.get(method[0], "hmac")]
        stage.log_in(tern, client, **{"signature-method": method, "placement": place}).expect()
        stage.signed_in |= is_first
        stage.check_api(tern, place)

    return play


for _method in METHODS:
    for _place in PLACES:
        scenario(f"login, {_method}, {_place}")(_login(_method, _place))


@scenario("login, with a realm")
def realm(stage):
    tern = stage.fresh("realm")
    stage.log_in(tern, CONSUMERS["hmac"], realm="Photos").expect()
    stage.check_api(tern)


scenario("login, real Chromium")(shared.chromium)


@scenario("login, typed PIN")
def pin(stage):
    tern = stage.fresh("pin")
    _type_pin(stage, tern, lambda pin: pin).expect()
    stage.secrets |= tern.stored_tokens()
    stage.check_api(tern)


def _type_pin(stage, tern, typed):
    login = tern.login(stage.server, CONSUMERS["hmac"], redirect="oob")
    try:
        shown = stage.server.read_pin(Robot(), login.address())
        stage.secrets.add(shown)
        login.paste(typed(shown))
        return tern.finish(login)
    finally:
        login.close()


scenario("login, pasted callback")(shared.paste)


@scenario("server's clock an hour ahead")
def clock(stage):
    server = stage.server

    def check(action, **due):
        """The statuses that an action leads to, path by path; each refusal teaches the time."""
        before = {path: len(server.answers(path)) for path in ("/initiate", "/token", "/api/me")}
        action().expect()
        for path, count in before.items():
            answers = server.answers(path)[count:]
            assert answers == due.get(path.split("/")[1], []), f"{path} answered {answers}"

    old, new = stage.fresh("clock-call"), stage.fresh("clock-login")
    stage.log_in(old, CONSUMERS["hmac"]).expect()
    server.set_clock(3600)
    try:
        check(lambda: old.run("call", stage.api), api=[server.wrong_time, 200])
        check(lambda: stage.log_in(new, CONSUMERS["hmac"]), initiate=[400, 200], token=[200])
        # The account keeps the time for the next process.
        check(lambda: new.run("call", stage.api), api=[200])
    finally:
        server.set_clock(0)


def _replay(place):
    def play(stage):
        tern = stage.fresh(f"replay-{place}")
        stage.log_in(tern, CONSUMERS["hmac"], placement=place).expect()
        address = f"{stage.api}?{QUERY}"
        options = ("--method", "POST") if place == "form" else ()
        signed = tern.run("sign", address, *options).expect().output.removesuffix("\n")
        assert "\n" not in signed, "more than one line on standard output"
        token = re.search(r'oauth_token="?([^"&,]+)', signed)[1]
        assert not any(secret in signed for secret in stage.secrets - {token}), "the signed request holds a secret"
        robot = Robot()
        send = {
            "header": lambda: robot.get(address, dict([signed.split(": ", 1)])),
            "query": lambda: robot.get(signed),
            "form": lambda: robot.send(
                "POST", address, signed.encode(), {"Content-Type": "application/x-www-form-urlencoded"}
            ),
        }[place]
        first, second = send(), send()
        assert first.status == 200, f"the signed request of another program is answered with HTTP {first.status}"
        assert json.loads(first.text)["query"] == pairs(QUERY), "the query did not come as it was signed"
        assert second.status == 401, f"the replayed request is answered with HTTP {second.status}"

    return play


for _place in PLACES:
    scenario(f"signed for another program, replay refused, {_place}")(_replay(_place))


@scenario("logout", needs_login=True)
def logout(stage):
    report = stage.main.run("logout", "--json").expect().json
    assert report["revocation"] == "not_offered", f"the report says of the revocation: {report['revocation']}"
    stage.check_nothing_stored(stage.main)
    stage.main.run("call", stage.api, "--json").expect_error("signed_out", 3)


@scenario("refused: wrong client secret")
def wrong_secret(stage):
    stage.refused(
        "wrong-secret", CONSUMERS["hmac"], stage.server.wrong_secret, environment={"WRONG": "not-the-secret"},
        **{"client-secret-env": "WRONG"},
    )


@scenario("refused: unknown client")
def unknown_client(stage):
    nobody = Client("nobodyConsumer01234567", "secret")
    stage.refused(
        "unknown-client", nobody, stage.server.unknown_consumer, environment={"SOME": "some-secret"},
        **{"client-secret-env": "SOME"},
    )


@scenario("refused: unsupported method")
def unsupported_method(stage):
    unknown = [method for method in METHODS if method not in stage.server.methods and method.startswith("HMAC")]
    if not unknown:
        raise Skip("the library knows every method")
    options = {"signature-method": unknown[0]}
    stage.refused("unsupported-method", CONSUMERS["hmac"], stage.server.unsupported_method, **options)


@scenario("refused: wrong PIN")
def wrong_pin(stage):
    tern = stage.fresh("wrong-pin")
    _type_pin(stage, tern, lambda pin: "0" * len(pin)).expect_error(stage.server.wrong_pin)
    stage.check_nothing_stored(tern)


scenario("refused: access denied")(shared.denied)
scenario("no secret in any output")(shared.silence)
