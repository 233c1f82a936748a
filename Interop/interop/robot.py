"""A browser without a screen: cookies, redirects one at a time, and forms. Standard library only."""

import html.parser
import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT = 20  # seconds for one answer


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Reply:
    def __init__(self, address, status, headers, body):
        self.address = address
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def location(self):
        """Where a redirect leads, as an absolute address; None where the answer is no redirect."""
        target = self.headers.get("Location")
        if self.status not in (301, 302, 303, 307, 308) or target is None:
            return None
        return urllib.parse.urljoin(self.address, target)

    def json(self):
        try:
            return json.loads(self.text)
        except ValueError:
            return {}


class Robot:
    """One browser session with cookies of its own. Proxies of the environment are not used: all is loopback."""

    def __init__(self):
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
            _NoRedirect(),
        )

    def send(self, method, address, body=None, headers=None):
        request = urllib.request.Request(address, body, headers or {}, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return Reply(address, answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as answer:
            with answer:
                return Reply(address, answer.code, answer.headers, answer.read())

    def get(self, address, headers=None):
        return self.send("GET", address, headers=headers)

    def post(self, address, fields, headers=None):
        body = urllib.parse.urlencode(fields).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.send("POST", address, body, {**kind, **(headers or {})})

    def json(self, method, address, value):
        return self.send(method, address, json.dumps(value).encode(), {"Content-Type": "application/json"})


class _FormReader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []
        self._open = None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self._open = {"action": a.get("action") or "", "fields": {}}
            self.forms.append(self._open)
        elif tag == "input" and self._open is not None and a.get("name"):
            if a.get("type") not in ("checkbox", "radio", "submit") or "checked" in a:
                self._open["fields"][a["name"]] = a.get("value") or ""

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None


def form_with(reply, field):
    """The address and the fields of the page's form that has `field`; None where there is none."""
    reader = _FormReader()
    reader.feed(reply.text)
    for form in reader.forms:
        if field in form["fields"]:
            return urllib.parse.urljoin(reply.address, form["action"] or reply.address), form["fields"]
    return None


def query(address):
    """The query of an address as a dictionary. A repeated name is an error of the server and ends the scenario."""
    pairs = urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query, keep_blank_values=True)
    if len({name for name, _ in pairs}) != len(pairs):
        raise AssertionError("the answer repeats a parameter")
    return dict(pairs)
