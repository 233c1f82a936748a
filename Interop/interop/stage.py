"""What scenarios of all kinds share: how they are listed, what they hand to each other, and the sign-in by every kind of
user agent.

A scenario is a function of a `Stage`; it returns, or raises AssertionError or Skip.
"""

import time
from dataclasses import dataclass
from typing import Callable, Optional

from .browser import Browser
from .robot import FormPost, Robot, parameters
from .server import Skip
from .tern import OPEN, Tern, find

SECRET = ("response", "id_token", "access_token")  # parameters of an answer that must not be printed


@dataclass(frozen=True)
class Scenario:
    title: str
    play: Callable
    needs_login: bool  # goes on with the account that the first login made
    feature: Optional[str]  # for the servers that offer it; None: for all


class Scenarios(list):
    """Scenarios in the order in which they are played; called, it adds one."""

    def __call__(self, title, needs_login=False, feature=None):
        def register(function):
            self.append(Scenario(title, function, needs_login, feature))
            return function

        return register


class Stage:
    """A server, the command, and what the scenarios hand to each other."""

    proof = ""  # the parameter of an answer that must stay secret
    first = ""  # the key of the client that the user agents sign in for

    def __init__(self, server, path, folder):
        self.server = server
        self._path = path
        self._folder = folder
        self.signed_in = False
        self.secrets = {client.secret for client in server.clients.values() if client.secret}
        self.commands = []
        self.main = self.fresh("main")

    def fresh(self, name):
        """The command with an empty store."""
        tern = Tern(self._path, self._folder / name, self.server.clients.values())
        self.commands.append(tern)
        return tern

    @property
    def client(self):
        """The client that most scenarios sign in for."""
        return self.server.clients[self.first]

    def require(self, subcommand, *words):
        """Skips the scenario where the help of this build does not know the words."""
        text = self.main.help(subcommand)
        missing = [word for word in words if word not in text]
        if missing or not text:
            raise Skip(f"not in this build: tern {' '.join([subcommand, *missing])}")

    def check_request(self, address):
        """Looks at the address that the command wants opened."""

    def check_account(self, tern):
        """The stored account works."""
        raise NotImplementedError

    def check_nothing_stored(self, tern):
        accounts = tern.run("accounts", "--json").expect().json
        assert find(accounts, "sub") is None and find(accounts, "issuer") is None, "an account was stored all the same"

    def keep(self, answer):
        """Remembers what in an answer must not be printed."""
        found = parameters(answer)
        self.secrets.update(value for name, value in found.items() if name in SECRET or name == self.proof)
        return found

    def deliver(self, answer):
        """Visits the redirect address, as the browser would; returns what the user sees."""
        self.keep(answer)
        if isinstance(answer, FormPost):
            return Robot().post(answer.address, answer.fields)
        return Robot().get(answer)

    def log_in(self, tern, client, play=None, **options):
        """A whole sign-in with the robot; returns the command's result."""
        login = tern.login(self.server, client, **options)
        try:
            address = login.address()
            self.check_request(address)
            answer = (play or self.server.sign_in)(Robot(), address)
            page = self.deliver(answer)
            is_refusal = self.proof not in parameters(answer)
            assert page.status == 200 or is_refusal, f"the user's last page is HTTP {page.status}"
            result = tern.finish(login)
            self.secrets |= tern.stored_tokens()
            return result
        finally:
            login.close()

    def log_in_by_paste(self, tern, client, play=None, **options):
        """The user's browser is elsewhere: nothing listens at the redirect address."""
        login = tern.login(self.server, client, paste=True, **options)
        try:
            answer = (play or self.server.sign_in)(Robot(), login.address())
            self.keep(answer)
            self.secrets.add(answer)
            login.paste(answer)
            result = tern.finish(login)
            self.secrets |= tern.stored_tokens()
            return result
        finally:
            login.close()

    def log_in_by_browser(self, tern, client, **options):
        """A sign-in with real Chromium, which the command starts itself."""
        browser = Browser(tern.home)
        login = None
        try:
            login = self.open_in(browser, tern, client, **options)
            self.server.browse(browser)
            end = time.monotonic() + 20
            while not browser.address.startswith(self.server.redirect):
                assert time.monotonic() < end, f"the browser is stuck at {browser.address.split('?')[0]}"
                self.server.browse_on(browser)
                time.sleep(0.05)
            while "You are signed in" not in browser.text:
                assert time.monotonic() < end, f"the user's last page says: {browser.text.strip()[:200]!r}"
                time.sleep(0.05)
            browser.picture("last-page")
            tern.finish(login).expect()
        finally:
            if login is not None:
                login.close()
            browser.stop()
        self.secrets |= tern.stored_tokens()

    def open_in(self, browser, tern, client, **options):
        """Starts `tern login`, which starts the user's browser with the address."""
        # The command starts this script as that browser; it hands the address over to the driver.
        script = tern.home / "browser"
        handed = tern.home / "address"
        script.write_text(f'#!/bin/sh\nprintf %s "$1" >"{handed}.new" && mv "{handed}.new" "{handed}"\n')
        script.chmod(0o755)
        login = tern.login(self.server, client, browser=script, **options)
        end = time.monotonic() + 20
        while not handed.exists():
            if time.monotonic() > end:
                login.close()
                raise AssertionError("the command did not start the browser that $BROWSER names")
            time.sleep(0.02)
        browser.open(handed.read_text())
        return login


# The scenarios that are the same for all.


def chromium(stage):
    tern = stage.fresh("chromium")
    stage.log_in_by_browser(tern, stage.client)
    stage.check_account(tern)


def paste(stage):
    tern = stage.fresh("paste")
    stage.log_in_by_paste(tern, stage.client).expect()
    stage.check_account(tern)


def denied(stage):
    tern = stage.fresh("denied")
    result = stage.log_in(tern, stage.client, stage.server.deny, **stage.server.denial_options)
    result.expect_error(stage.server.denied_code)
    stage.check_nothing_stored(tern)


def silence(stage):
    said = "\n".join(text for tern in stage.commands for text in tern.said)
    said = "\n".join(line for line in said.splitlines() if not line.startswith(OPEN))
    assert said or not stage.signed_in, "nothing was recorded"
    leaked = sum(secret in said for secret in stage.secrets)
    assert leaked == 0, f"{leaked} of {len(stage.secrets)} tokens, codes, states and client secrets were printed"
