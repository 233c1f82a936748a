"""django-oauth-toolkit as a Django project in one file. Its clients have one kind of grant each, so the device, the
hybrid and the machine are clients of their own."""

import socketserver
import sys
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

import service

BASE = f"http://localhost:{service.PORT}"
LOGIN = """<!doctype html><title>Sign in</title><form method=post>{% csrf_token %}{{ form.as_p }}
<input type=hidden name=next value="{{ next }}"><button type=submit>Sign in</button></form>"""
GRANTS = {
    "device": "urn:ietf:params:oauth:grant-type:device_code", "hybrid": "openid-hybrid",
    "machine": "client-credentials",
}


def key():
    made = rsa.generate_private_key(65537, 2048)
    return made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()).decode()


settings.configure(
    SECRET_KEY="for-loopback-tests-only",
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    LOGIN_URL="/login/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": str(service.FOLDER / "database"),
            "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"},
        },
    },
    # The stock hasher takes a third of a second for each secret, on purpose.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [
                ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN}),
                "django.template.loaders.app_directories.Loader",
            ],
        },
    }],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key(),
        "OIDC_ISS_ENDPOINT": service.ISSUER,
        "OAUTH2_VALIDATOR_CLASS": __name__ + ".Validator",
        "SCOPES": {scope: scope for scope in service.SETTINGS["scopes"]},
        "DEFAULT_SCOPES": ["openid"],
        "PKCE_REQUIRED": lambda client_id: client_id == "native",
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", service.SETTINGS["scheme_redirect"].partition(":")[0]],
        "ALLOW_LOCALHOST_LOOPBACK": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": 300,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OAUTH_DEVICE_VERIFICATION_URI": service.ISSUER + "/device/",
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{service.ISSUER}/device/?user_code={code}",
        "DEVICE_FLOW_INTERVAL": 1,
        "DCR_ENABLED": True,
        "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
        "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": BASE,
        "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [service.ISSUER],
    },
)
django.setup()
sys.modules[__name__] = sys.modules["__main__"]

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider import urls  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402
from oauth2_provider.views.generic import ProtectedResourceView  # noqa: E402


class Validator(OAuth2Validator):
    oidc_claim_scope = {**OAuth2Validator.oidc_claim_scope, "name": "profile", "email": "email"}

    def get_additional_claims(self, request):
        return {"name": request.user.get_full_name(), "email": request.user.email}


class Resource(ProtectedResourceView):
    def get(self, request):
        return JsonResponse({"user": request.resource_owner.username})


urlpatterns = [
    path("login/", LoginView.as_view()),
    path("o/", include("oauth2_provider.urls")),
    path("api/me", Resource.as_view()),
    path("", include((urls.metadata_urlpatterns, "metadata"))),
]


def prepare():
    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user(
        service.USER["name"], service.USER["email"], service.USER["password"], first_name="Alice", last_name="Example"
    )
    for client in service.SETTINGS["clients"]:
        is_shared = client["key"] == "hs256"
        get_application_model().objects.create(
            client_id=client["id"], name=client["id"], user=user,
            algorithm="HS256" if is_shared else "RS256", hash_client_secret=not is_shared,
            client_type="public" if client["authentication"] == "none" else "confidential",
            client_secret=client["secret"], authorization_grant_type=GRANTS.get(client["key"], "authorization-code"),
            redirect_uris=" ".join(service.REDIRECTS), post_logout_redirect_uris=service.SETTINGS["redirect"],
        )


class Threaded(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 32


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


prepare()
make_server("127.0.0.1", service.PORT, get_wsgi_application(), Threaded, Quiet).serve_forever()
