"""canaille on SQLite. Its access tokens have no number of their own, and two that are alike end in HTTP 500; so requests
for tokens wait here until the second of the last one is over."""

import json
import threading
import time

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import ECKey, RSAKey
from werkzeug.serving import make_server

import service
from service import USER

KEYS = [RSAKey.generate_key(2048, auto_kid=True), ECKey.generate_key("P-256", auto_kid=True)]
RESPONSE_TYPES = ["code", "id_token", "code id_token", "code token", "code id_token token"]

app = create_app({
    "SECRET_KEY": "for-loopback-tests-only",
    "SERVER_NAME": f"localhost:{service.PORT}",
    "PREFERRED_URL_SCHEME": "http",
    "SESSION_COOKIE_SECURE": False,
    # Its pages check each field half a second after it was typed, and the answer empties what holds a password.
    "CANAILLE": {"DATABASE": "sql", "ENABLE_PASSWORD_COMPROMISSION_CHECK": False, "HTMX": False},
    "CANAILLE_SQL": {"DATABASE_URI": f"sqlite:///{service.FOLDER}/database"},
    "CANAILLE_OIDC": {
        "DYNAMIC_CLIENT_REGISTRATION_OPEN": True,
        "REQUIRE_NONCE": False,
        "TRUSTED_DOMAINS": [],
        "ACTIVE_JWKS": [
            {name: value for name, value in key.as_dict(private=True).items() if isinstance(value, str)} for key in KEYS
        ],
    },
})


def prepare():
    with app.app_context():
        Backend.instance.install(app)
    with app.app_context(), Backend.instance.session():
        Backend.instance.save(models.User(
            user_name=USER["name"], password=USER["password"], given_name="Alice", family_name="Example",
            formatted_name="Alice Example", display_name=USER["name"], emails=[USER["email"]],
        ))
        for client in service.SETTINGS["clients"]:
            made = models.Client(
                client_id=client["id"], client_name=client["id"], client_secret=client["secret"],
                token_endpoint_auth_method=service.method(client), redirect_uris=service.REDIRECTS,
                post_logout_redirect_uris=service.REDIRECTS[:1], scope=service.SETTINGS["scopes"],
                grant_types=["authorization_code", "refresh_token", "client_credentials", "implicit"],
                response_types=RESPONSE_TYPES[1:2] if client["key"] == "no-code" else RESPONSE_TYPES,
                **({"jwks": json.dumps({"keys": [client["jwk"]]})} if client["jwk"] else {}),
                **({"userinfo_signed_response_alg": "ES256", "id_token_signed_response_alg": "ES256"}
                   if client["key"] == "signed" else {}),
            )
            Backend.instance.save(made)
            made.audience = [made]  # without it the ID token has none
            Backend.instance.save(made)


class Unhurried:
    """One request for a token at a time, each in a second of its own."""

    def __init__(self, inner):
        self._inner = inner
        self._lock = threading.Lock()
        self._last = 0

    def __call__(self, environment, start):
        if environment["PATH_INFO"] != "/oauth/token":
            return self._inner(environment, start)
        with self._lock:
            while int(time.time()) == self._last:
                time.sleep(0.02)
            answer = list(self._inner(environment, start))
            self._last = int(time.time())
            return answer


prepare()
make_server("127.0.0.1", service.PORT, Unhurried(app), threaded=True).serve_forever()
