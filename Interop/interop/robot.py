"""A browser without a screen: cookies, redirects one at a time, and forms. Standard library only."""

import html.parser
import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

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


class Stuck(AssertionError):
    """The server leads the user to a page from which there is no way back to the program."""


@dataclass(frozen=True)
class FormPost:
    """An answer that a page sends by itself (response_mode=form_post): where to, and its fields."""

    address: str
    fields: dict


@dataclass
class Form:
    action: str
    method: str
    fields: dict  # what the page fills in
    names: set  # everything that has a name, buttons included

    def submit(self, robot, values):
        """Sends the form with those of the values for which it has a name; None stands for what is left alone."""
        known = {name: value for name, value in values.items() if name in self.names and value is not None}
        if self.method == "get":
            return robot.get(self.action.partition("?")[0] + "?" + urllib.parse.urlencode({**self.fields, **known}))
        return robot.post(self.action, {**self.fields, **known})


class _FormReader(html.parser.HTMLParser):
    def __init__(self, address):
        super().__init__()
        self.forms = []
        self._address = address
        self._open = None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            action = urllib.parse.urljoin(self._address, a.get("action") or self._address)
            self._open = Form(action, (a.get("method") or "get").lower(), {}, set())
            self.forms.append(self._open)
        elif tag in ("input", "button", "select", "textarea") and self._open is not None and a.get("name"):
            self._open.names.add(a["name"])
            if tag == "input" and (a.get("type") not in ("checkbox", "radio", "submit") or "checked" in a):
                self._open.fields[a["name"]] = a.get("value") or ""

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None


def forms(reply):
    reader = _FormReader(reply.address)
    reader.feed(reply.text)
    return reader.forms


def form_with(reply, field):
    """The address and the fields of the page's form that has `field`; None where there is none."""
    return next(((form.action, form.fields) for form in forms(reply) if field in form.fields), None)


def form_to(reply, back):
    """The page's form that goes to an address beginning with `back`, as an answer; None where there is none."""
    return next((FormPost(form.action, form.fields) for form in forms(reply) if form.action.startswith(back)), None)


def walk(robot, address, back, values):
    """Plays a user: follows redirects and fills in forms until the server sends the browser to an address that begins
    with `back`. `values` has what is typed and pressed, by the names of fields and buttons."""
    reply = robot.get(address)
    for _ in range(15):
        target = reply.location
        if target is not None:
            if target.startswith(back):
                return target
            reply = robot.get(target)
            continue
        posted = form_to(reply, back)
        if posted is not None:
            return posted
        form = next((form for form in forms(reply) if form.names & values.keys()), None)
        if form is None:
            raise Stuck(f"nothing to fill in: HTTP {reply.status} at {reply.address.partition('?')[0]}")
        reply = form.submit(robot, values)
    raise AssertionError("the server leads in a circle")


def parameters(answer):
    """What an answer says, wherever it stands: in the query, the fragment or a form."""
    if isinstance(answer, FormPost):
        return answer.fields
    return {**query(answer), **query("?" + urllib.parse.urlsplit(answer).fragment)}


def query(address):
    """The query of an address as a dictionary. A repeated name is an error of the server and ends the scenario."""
    pairs = urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query, keep_blank_values=True)
    if len({name for name, _ in pairs}) != len(pairs):
        raise AssertionError("the answer repeats a parameter")
    return dict(pairs)
