"""Real headless Chromium, driven over the plain WebDriver protocol (W3C) that chromedriver speaks."""

import base64
import json
import os
import shutil
import tempfile
import time
import urllib.error
import urllib.request

from .process import Process, free_port
from .server import Skip

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the protocol gives to references to elements


class Failure(Exception):
    """An error answer of the driver."""


class Browser:
    """`always_open` is a scheme and the origin whose pages may open its addresses without asking, as after the tick "Always
    allow" in the question that Chromium puts to users. `environment` goes to Chromium and to what it starts."""

    def __init__(self, folder, always_open=None, environment=None):
        if shutil.which("chromedriver") is None:
            raise Skip("this machine has no chromedriver")
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._folder = folder
        self._session = self._driver = None
        # What it writes belongs to the run, not to the user. Its sockets lie among its temporary files, and the path of a
        # socket has 107 octets at most, so those stand in a folder with a short name.
        self._temporary = tempfile.TemporaryDirectory(prefix="tern-", ignore_cleanup_errors=True)
        self._home = {**os.environ, "HOME": str(folder), "TMPDIR": self._temporary.name, **(environment or {})}
        try:
            self._start(folder / "profile", always_open)
        except BaseException:
            self.stop()
            raise

    def _start(self, profile, always_open):
        if always_open is not None:
            scheme, origin = always_open
            settings = {"protocol_handler": {"allowed_origin_protocol_pairs": {origin: {scheme: True}}}}
            (profile / "Default").mkdir(parents=True)
            (profile / "Default/Preferences").write_text(json.dumps(settings))
        port = free_port()
        self._base = f"http://127.0.0.1:{port}"
        self._driver = Process(["chromedriver", f"--port={port}"], profile.with_suffix(".log"), env=self._home)
        self._driver.wait_for(self._base + "/status")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        options = {"args": [*arguments, "--no-proxy-server", f"--user-data-dir={profile}"]}
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options}}
        self._session = self._call("POST", "/session", {"capabilities": capabilities})["sessionId"]

    def _call(self, method, path, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(self._base + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with self._opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as answer:
            with answer:
                value = json.load(answer)["value"]
                raise Failure(f"{value['error']}: {value['message'].partition(chr(10))[0]}") from None

    def _in_session(self, method, path, value=None):
        return self._call(method, f"/session/{self._session}{path}", value)

    def open(self, address):
        self._in_session("POST", "/url", {"url": address})

    @property
    def address(self):
        return self._in_session("GET", "/url")

    @property
    def text(self):
        """What the page shows to the user."""
        script = {"script": "return document.body ? document.body.innerText : ''", "args": []}
        return self._in_session("POST", "/execute/sync", script)

    def picture(self, name):
        """Leaves a picture of the page in the run's folder, for people who look at a run afterwards."""
        (self._folder / f"{name}.png").write_bytes(base64.b64decode(self._in_session("GET", "/screenshot")))

    def _on(self, selector, action, seconds):
        # A script may draw the page anew between finding an element and using it, so both are repeated together.
        end = time.monotonic() + seconds
        while True:
            try:
                query = {"using": "css selector", "value": selector}
                for found in self._in_session("POST", "/elements", query):
                    element = "/element/" + found[_ELEMENT]
                    if all(self._in_session("GET", element + state) for state in ("/displayed", "/enabled")):
                        action(element)
                        return True
            except Failure:
                pass
            if time.monotonic() > end:
                return False
            time.sleep(0.05)

    def type(self, selector, text):
        def action(element):
            self._in_session("POST", element + "/clear", {})
            self._in_session("POST", element + "/value", {"text": text})

        if not self._on(selector, action, 15):
            raise AssertionError(f"the page has no field {selector}")

    def click(self, selector):
        if not self._on(selector, lambda element: self._in_session("POST", element + "/click", {}), 15):
            raise AssertionError(f"the page has no button {selector}")

    def click_if_there(self, selector, seconds=0.2):
        return self._on(selector, lambda element: self._in_session("POST", element + "/click", {}), seconds)

    def stop(self):
        if self._session is not None:
            try:
                self._in_session("DELETE", "")
            except (Failure, OSError):
                pass
            self._session = None
        if self._driver is not None:
            self._driver.stop()
        self._temporary.cleanup()
