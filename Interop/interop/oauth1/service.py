"""What both providers share: consumers, clock, login page and API. What is OAuth about them is the library's.

Run as: NAME_server.py PORT FOLDER. The folder brings `consumers.json` (key to secret) and `clock`: the seconds by which
timestamp check and Date header are ahead, read anew each time. The RSA consumer's private key is written there.
"""

import json
import pathlib
import sys
import time
from email.utils import formatdate

from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import rsa
from flask import Flask, jsonify, request
from werkzeug.serving import WSGIRequestHandler

PORT, FOLDER = int(sys.argv[1]), pathlib.Path(sys.argv[2])
CONSUMERS = json.loads((FOLDER / "consumers.json").read_text())
PAGE = """<!doctype html><title>Sign in</title><form method=post>
<input name=username autocomplete=off><input name=password type=password>
<button name=answer value=allow>Allow</button><button name=answer value=deny>Deny</button></form>"""

app = Flask(__name__)


class Clock:
    """Stands where a library says `time`."""

    @staticmethod
    def time():
        return time.time() + int((FOLDER / "clock").read_text())


def _make_key():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for name, layout in (("pkcs1", "TraditionalOpenSSL"), ("pkcs8", "PKCS8")):
        text = key.private_bytes(form.Encoding.PEM, getattr(form.PrivateFormat, layout), form.NoEncryption())
        (FOLDER / f"{name}.pem").write_bytes(text)
    return key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()


PUBLIC_KEY = _make_key()


def address():
    """The address as it was sent; Flask's own is decoded, and a signature is of what was sent."""
    return f"http://{request.host}{request.environ['REQUEST_URI']}"


def body():
    """The form as it was sent, in its order and with its repetitions; None where the body is no form."""
    return request.get_data(as_text=True) if request.mimetype == "application/x-www-form-urlencoded" else None


def decision():
    """`allow` or `deny` by the user; None where the page has to be shown (again)."""
    if request.method == "POST" and request.form.get("answer") == "deny":
        return "deny"
    return "allow" if (request.form.get("username"), request.form.get("password")) == ("alice", "alice-pw-1") else None


def pin_page(pin):
    return f"<!doctype html><title>Your PIN</title><p>Your PIN: <code>{pin}</code></p>"


def echo():
    """What the API answers to a request with a good signature: what else was in it."""

    def others(parameters):
        return [pair for pair in parameters.items(multi=True) if not pair[0].startswith("oauth_")]

    return jsonify(user="alice", method=request.method, query=others(request.args), form=others(request.form))


class _Handler(WSGIRequestHandler):
    def date_time_string(self, timestamp=None):
        return formatdate(Clock.time(), usegmt=True)

    def log_request(self, code="-", size="-"):
        print(self.command, self.path.split("?")[0], int(code), file=sys.stderr, flush=True)


@app.get("/")
def ready():
    return "ready"


def serve():
    app.run("127.0.0.1", PORT, threaded=True, request_handler=_Handler)
