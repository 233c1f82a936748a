"""idpyoidc's provider behind a little Flask. Protocol and refusals are the library's; nobody is asked anything, and every
user is the same one."""

import json
import os

from cryptojwt.jwk.ec import ECKey
from flask import Flask, Response, redirect, request
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.token.id_token import IDToken

import service
from service import ISSUER, USER

CONFIDENTIAL = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"]
METHODS = [*CONFIDENTIAL, "public"]  # its method "none" would let in whoever fails with another one
RESPONSE_TYPES = ["code", "id_token", "code id_token", "code token", "code id_token token"]
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
REFRESH_TOKEN = "urn:ietf:params:oauth:token-type:refresh_token"
SCOPES = service.SETTINGS["scopes"]
LIFETIME = 300
REPEATED = ["response_type", "scope", "redirect_uri", "prompt"]

os.chdir(service.FOLDER)
claims = {"sub": USER["name"], "name": "Alice Example", "email": USER["email"]}
(service.FOLDER / "users.json").write_text(json.dumps({USER["name"]: claims}))


class EncryptingIDToken(IDToken):
    """The library can encrypt ID tokens, but does not look whether the client wants it."""

    def __call__(self, session_id="", ttype="", encrypt=False, **rest):
        _, client_id, _ = context.session_manager.decrypt_session_id(session_id)
        is_wanted = "id_token_encrypted_response_alg" in context.cdb[client_id]
        return super().__call__(session_id, ttype, encrypt=is_wanted, **rest)


def part(path, kind, **options):
    return {"path": path, "class": "idpyoidc.server." + kind, "kwargs": options}


def helper(kind, **options):
    return {"class": "idpyoidc.server." + kind, "kwargs": options}


exchange = helper(
    "oauth2.token_helper.token_exchange.TokenExchangeHelper",
    subject_token_types_supported=[ACCESS_TOKEN, REFRESH_TOKEN],
    requested_token_types_supported=[ACCESS_TOKEN, REFRESH_TOKEN],
    policy={
        "": {
            "function": "idpyoidc.server.oauth2.token_helper.token_exchange.validate_token_exchange_policy",
            "kwargs": {"scope": SCOPES},
        },
    },
)
endpoints = {
    "provider_info": part(
        ".well-known/openid-configuration", "oidc.provider_config.ProviderConfiguration", client_authn_method=None
    ),
    "authorization": part(
        "authorization", "oidc.authorization.Authorization", client_authn_method=None,
        request_parameter_supported=True, response_types_supported=RESPONSE_TYPES,
        response_modes_supported=["query", "fragment", "form_post"],
    ),
    "token": part(
        "token", "oidc.token.Token", client_authn_method=METHODS,
        grant_types_helpers={
            "authorization_code": helper("oidc.token_helper.access_token.AccessTokenHelper"),
            "refresh_token": helper("oidc.token_helper.refresh_token.RefreshTokenHelper"),
            "client_credentials": helper("oauth2.token_helper.client_credentials.ClientCredentials"),
            EXCHANGE: exchange,
        },
    ),
    "pushed_authorization": part(
        "par", "oauth2.pushed_authorization.PushedAuthorization", client_authn_method=METHODS
    ),
    "introspection": part(
        "introspection", "oauth2.introspection.Introspection", client_authn_method=CONFIDENTIAL, release=["username"]
    ),
    "revocation": part("revocation", "oauth2.token_revocation.TokenRevocation", client_authn_method=CONFIDENTIAL),
    "userinfo": part("userinfo", "oidc.userinfo.UserInfo", client_authn_method=["bearer_header"]),
}
fresh_keys = {"private_path": "keys.json", "read_only": False}
jwt = "token.jwt_token.JWTToken"
configuration = OPConfiguration(
    {
        "issuer": ISSUER,
        "httpc_params": {"verify": False, "timeout": 4},
        "key_conf": {
            **fresh_keys, "uri_path": "jwks",
            "key_defs": [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}],
        },
        "preference": {
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        },
        "scopes_to_claims": {"openid": ["sub"], "profile": ["name"], "email": ["email"], "offline_access": []},
        "authentication": {
            "anybody": {
                "acr": "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified",
                **helper("user_authn.user.NoAuthn", user=USER["name"]),
            },
        },
        "userinfo": helper("user_info.UserInfo", db_file="users.json"),
        "authz": helper("authz.AuthzHandling", grant_config={
            "usage_rules": {
                "authorization_code": {
                    "supports_minting": ["access_token", "refresh_token", "id_token"], "max_usage": 1,
                    "expires_in": 60,
                },
                "access_token": {"supports_minting": ["access_token", "refresh_token"], "expires_in": LIFETIME},
                "refresh_token": {
                    "supports_minting": ["access_token", "refresh_token", "id_token"], "expires_in": 3600,
                },
            },
            "expires_in": 3600,
        }),
        "token_handler_args": {
            "jwks_def": {
                "private_path": "token-keys.json", "read_only": False,
                "key_defs": [{"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}],
            },
            "code": {"lifetime": 60},
            "token": helper(jwt, lifetime=LIFETIME, aud=["api"]),
            "refresh": helper(jwt, lifetime=3600, aud=["api"]),
            "id_token": {"class": "__main__.EncryptingIDToken", "kwargs": {}},
        },
        "session_params": {
            "encrypter": {
                "kwargs": {
                    "keys": {
                        "key_defs": [
                            {"type": "OCT", "use": ["enc"], "kid": "password"},
                            {"type": "OCT", "use": ["enc"], "kid": "salt"},
                        ],
                    },
                },
            },
        },
        "add_on": {
            "pkce": {
                "function": "idpyoidc.server.oauth2.add_on.pkce.add_support",
                "kwargs": {"essential": False, "code_challenge_method": "S256"},
            },
        },
        "endpoint": endpoints,
    },
    base_path=str(service.FOLDER),
)
provider = Server(configuration, cwd=str(service.FOLDER))
context = provider.context
parts = {one.endpoint_path: one for one in provider.endpoint.values()}

for client in service.SETTINGS["clients"]:
    entry = context.cdb[client["id"]] = {
        "client_id": client["id"], "token_endpoint_auth_method": service.method(client), "allowed_scopes": SCOPES,
        "redirect_uris": [(address, {}) for address in service.REDIRECTS], "client_salt": "salt",
        "response_types_supported": RESPONSE_TYPES,
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials", EXCHANGE],
    }
    method = "public" if client["authentication"] == "none" else service.method(client)
    for name in ("token_endpoint", "pushed_authorization_request_endpoint"):
        entry[name + "_client_authn_method"] = [method]
    if client["secret"]:
        entry["client_secret"] = client["secret"]
        context.keyjar.add_symmetric(client["id"], client["secret"])
    if client["key"] == "encrypted":
        # Its GCM is no use: it takes 16 octets for the nonce, where the standard says 12 (RFC 7518 §5.3).
        for kind in ("id_token", "userinfo"):
            entry[kind + "_encrypted_response_alg"] = "ECDH-ES"
            entry[kind + "_encrypted_response_enc"] = "A128CBC-HS256"
    if client["jwk"]:
        entry["id_token_signed_response_alg"] = "ES256"
        key = ECKey(**{name: value for name, value in client["jwk"].items() if name != "kty"})
        context.keyjar.import_jwks({"keys": [key.serialize(private=False)]}, client["id"])

app = Flask(__name__)


def refusal(message):
    said = {name: message[name] for name in ("error", "error_description") if name in message}
    is_about_client = said.get("error") in ("invalid_client", "unauthorized_client")
    return Response(json.dumps(said), 401 if is_about_client else 400, content_type="application/json")


def play(name):
    endpoint = parts[endpoints[name]["path"]]
    seen = {
        "headers": {name.lower(): value for name, value in request.headers.items()}, "method": request.method,
        "url": request.base_url,
        "cookie": [{"name": name, "value": value} for name, value in request.cookies.items()],
    }
    sent = (request.args if request.method == "GET" else request.form).to_dict()
    pushed = context.par_db.get(sent.get("request_uri"))
    if name == "authorization" and pushed is not None:
        # The library wants repeated what was pushed, which the standard does not.
        sent = {**{name: pushed[name] for name in REPEATED if name in pushed}, **sent}
    try:
        asked = endpoint.parse_request(sent, http_info=seen)
        if "error" in asked:
            return refusal(asked)
        done = endpoint.process_request(asked, http_info=seen)
        if "http_response" in done:
            return Response(json.dumps(done["http_response"]), 200, content_type="application/json")
        if "error" in done:
            return refusal(done)
        answer = endpoint.do_response(request=asked, **done)
    except Exception as problem:  # the library says some refusals so
        app.logger.exception(name)
        return refusal({"error": "invalid_request", "error_description": type(problem).__name__})
    text = answer["response"]
    if "url" in (answer.get("response_placement"), endpoint.response_placement) and not text.lstrip().startswith("<"):
        reply = redirect(text)
    else:
        reply = Response(text, answer.get("response_code", 200))
    for field, value in answer.get("http_headers", []):
        reply.headers[field] = value
    for cookie in answer.get("cookie", []):
        reply.set_cookie(cookie["name"], cookie["value"])
    return reply


for name, place in endpoints.items():
    app.add_url_rule("/" + place["path"], name, lambda name=name: play(name), methods=["GET", "POST"])


@app.get("/jwks")
def keys():
    return Response(context.keyjar.export_jwks_as_json(), content_type="application/json")


app.run("127.0.0.1", service.PORT, threaded=True)
