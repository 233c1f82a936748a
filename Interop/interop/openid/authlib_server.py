"""An OAuth 2 and OpenID provider by Authlib. Protocol, signatures and refusals are the library's; clients, storage and
login page are ours. Its metadata lie at the address of RFC 8414 alone, and the first poll of a device is always too fast."""

import os
import time
from secrets import compare_digest, token_urlsafe

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token  # noqa: E402
from authlib.oauth2 import OAuth2Error, rfc7009, rfc7523, rfc7636, rfc7662, rfc8628, rfc9068, rfc9101, rfc9207  # noqa: E402
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenValidator  # noqa: E402
from authlib.oidc.core import UserInfo  # noqa: E402
from authlib.oidc.core import grants as openid  # noqa: E402
from flask import Flask, jsonify, request  # noqa: E402
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey  # noqa: E402

import service  # noqa: E402
from service import ISSUER, USER  # noqa: E402

LIFETIME = 300
KEY = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256", "kid": "rs-1"})
METHODS = ["none", "client_secret_basic", "client_secret_post", "client_assertion_jwt"]
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
codes, tokens, devices, seen = {}, [], {}, set()
METADATA = {
    "issuer": ISSUER, "authorization_endpoint": ISSUER + "/authorize", "token_endpoint": ISSUER + "/token",
    "jwks_uri": ISSUER + "/jwks", "userinfo_endpoint": ISSUER + "/userinfo",
    "revocation_endpoint": ISSUER + "/revoke", "introspection_endpoint": ISSUER + "/introspect",
    "device_authorization_endpoint": ISSUER + "/device_authorization",
    "response_types_supported": ["code", "id_token", "code id_token", "code token", "code id_token token"],
    "response_modes_supported": ["query", "fragment"],
    "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
    "code_challenge_methods_supported": ["S256"], "scopes_supported": service.SETTINGS["scopes"],
    "authorization_response_iss_parameter_supported": True,
    "token_endpoint_auth_methods_supported": [
        "none", "client_secret_basic", "client_secret_post", "private_key_jwt", "client_secret_jwt",
    ],
    "request_parameter_supported": True, "request_object_signing_alg_values_supported": ["ES256"],
    "token_endpoint_auth_signing_alg_values_supported": ["ES256", "HS256"],
    "grant_types_supported": [
        "authorization_code", "implicit", "refresh_token", "client_credentials", "password", JWT_BEARER,
        rfc8628.DEVICE_CODE_GRANT_TYPE,
    ],
}


class User:
    def get_user_id(self):
        return USER["name"]


alice = User()


class Client(ClientMixin):
    id_token_signed_response_alg = "RS256"

    def __init__(self, registered):
        self.client_id = registered["id"]
        self.method = service.method(registered)
        self.secret = registered["secret"]
        self.key = ECKey.import_key(registered["jwk"]) if registered["jwk"] else None

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return service.REDIRECTS[0]

    def get_allowed_scope(self, scope):
        asked = (scope or "").split()
        return " ".join(word for word in asked if word in service.SETTINGS["scopes"])

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in service.REDIRECTS

    def check_client_secret(self, secret):
        return compare_digest(self.secret.encode(), secret.encode())

    def check_endpoint_auth_method(self, method, endpoint):
        return method == ("client_assertion_jwt" if self.method.endswith("_jwt") else self.method)

    def check_response_type(self, response_type):
        return True

    def check_grant_type(self, grant_type):
        return True


clients = {registered["id"]: Client(registered) for registered in service.SETTINGS["clients"]}


class Code(AuthorizationCodeMixin):
    def __init__(self, sent):
        data = sent.payload.data
        self.client_id, self.redirect_uri, self.scope = sent.client.client_id, sent.payload.redirect_uri, sent.scope
        self.nonce, self.made = data.get("nonce"), time.time()
        self.code_challenge, self.code_challenge_method = data.get("code_challenge"), data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return int(self.made)

    def get_acr(self):
        return "1"

    def get_amr(self):
        return ["pwd"]


class Token(TokenMixin):
    """What one answer of the token endpoint gave. `family` is shared by all that came of one sign-in."""

    def __init__(self, answer, sent):
        self.client, self.user = sent.client, sent.user
        self.scope, self.made = answer.get("scope", ""), time.time()
        self.access_token, self.refresh_token = answer["access_token"], answer.get("refresh_token")
        before = getattr(sent, "refresh_token", None)
        self.family = before.family if before else {"revoked": False}
        self.is_spent = False

    def check_client(self, client):
        return client is self.client

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return LIFETIME

    def is_expired(self):
        return time.time() > self.made + LIFETIME

    def is_revoked(self):
        return self.family["revoked"]

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


def find_token(text):
    return next((token for token in tokens if text in (token.access_token, token.refresh_token)), None)


app = Flask(__name__)
app.config["OAUTH2_SCOPES_SUPPORTED"] = service.SETTINGS["scopes"]
provider = AuthorizationServer(app, clients.get, lambda answer, sent: tokens.append(Token(answer, sent)))


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request):
        codes[code] = Code(request)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id and time.time() < found.made + 60 else None

    def delete_authorization_code(self, authorization_code):
        for text in [text for text, code in codes.items() if code is authorization_code]:
            del codes[text]

    def authenticate_user(self, authorization_code):
        return alice


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = next((token for token in tokens if token.refresh_token == refresh_token), None)
        if found is not None and found.is_spent:
            found.family["revoked"] = True
        return None if found is None or found.is_revoked() else found

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.is_spent = True


class MachineGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS[1:]


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def authenticate_user(self, username, password):
        return alice if (username, password) == (USER["name"], USER["password"]) else None


class Claims:
    """What the three kinds of OpenID grants ask of us."""

    def resolve_client_private_key(self, client):
        return KEY

    def get_client_algorithm(self, client):
        return "RS256"

    def get_client_claims(self, client):
        return {"iss": ISSUER, "aud": [client.client_id]}

    def get_encode_header(self, client):
        return {"alg": "RS256", "kid": KEY.kid}

    def exists_nonce(self, nonce, request):
        return False

    def generate_user_info(self, user, scope):
        return UserInfo(sub=USER["name"], name="Alice Example", email=USER["email"]).filter(scope)


class OpenIDCode(Claims, openid.OpenIDCode):
    pass


class ImplicitGrant(Claims, openid.OpenIDImplicitGrant):
    pass


class HybridGrant(Claims, openid.OpenIDHybridGrant):
    save_authorization_code = CodeGrant.save_authorization_code

    def generate_authorization_code(self):
        return token_urlsafe(24)


class DeviceGrant(rfc8628.DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        found = next((device for device in devices.values() if device["user_code"] == user_code), {})
        return (alice, found["is_allowed"]) if "is_allowed" in found else None

    def should_slow_down(self, credential):
        now, before = time.monotonic(), credential.get("polled")
        credential["polled"] = now
        is_too_fast = before is None or now - before < credential["interval"] - 0.05
        if is_too_fast:
            credential["interval"] += 5
        print("slow_down" if is_too_fast else "pending", "interval", credential["interval"], flush=True)
        return is_too_fast


class DeviceEndpoint(rfc8628.DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = METHODS
    INTERVAL = 1

    def get_verification_uri(self):
        return ISSUER + "/device"

    def save_device_credential(self, client_id, scope, data):
        credential = rfc8628.DeviceCredentialDict(data, client_id=client_id, scope=scope, expires_at=time.time() + 600)
        devices[data["device_code"]] = credential


class Assertion(rfc7523.JWTBearerClientAssertion):
    def validate_jti(self, claims, jti):
        is_new = (claims["sub"], jti) not in seen
        seen.add((claims["sub"], jti))
        return is_new

    def get_audiences(self):
        return [ISSUER, ISSUER + "/token"]

    def resolve_client_public_key(self, client):
        return OctKey.import_key(client.secret) if client.method == "client_secret_jwt" else client.key


class JWTBearer(rfc7523.JWTBearerGrant):
    def resolve_issuer_client(self, issuer):
        return clients.get(issuer)

    def resolve_client_public_key(self, client):
        return client.key

    def authenticate_user(self, subject):
        return alice if subject == USER["name"] else None

    def get_audiences(self):
        return [ISSUER, ISSUER + "/token"]

    def has_granted_permission(self, client, user):
        return True


class Revocation(rfc7009.RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, token_string, token_type_hint):
        return find_token(token_string)

    def revoke_token(self, token, request):
        token.family["revoked"] = True


class Introspection(rfc7662.IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = METHODS[1:]

    def check_permission(self, token, client, request):
        return True

    def query_token(self, token_string, token_type_hint):
        return find_token(token_string)

    def introspect_token(self, token):
        return {
            "active": not token.is_revoked() and not token.is_expired(), "client_id": token.client.client_id,
            "scope": token.scope, "sub": USER["name"], "exp": int(token.made + LIFETIME), "iss": ISSUER,
        }


class SignedRequest(rfc9101.JWTAuthenticationRequest):
    def resolve_client_public_key(self, client):
        return KeySet([client.key])

    def get_server_metadata(self):
        return METADATA

    def get_client_require_signed_request_object(self, client):
        return False

    def get_request_object_signing_algorithms(self, client):
        return METADATA["request_object_signing_alg_values_supported"]


class AccessTokens(rfc9068.JWTBearerTokenGenerator):
    def get_jwks(self):
        return KeySet([KEY])

    def get_audiences(self, client, user, scope):
        return "api"


class Named(rfc9207.IssuerParameter):
    def get_issuer(self):
        return ISSUER


class Bearer(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((token for token in tokens if token.access_token == token_string), None)


provider.register_grant(CodeGrant, [OpenIDCode(), rfc7636.CodeChallenge(required=True)])
provider.register_grant(HybridGrant, [rfc7636.CodeChallenge(required=True)])
for grant in (RefreshGrant, MachineGrant, PasswordGrant, DeviceGrant, JWTBearer, ImplicitGrant):
    provider.register_grant(grant)
for endpoint in (DeviceEndpoint, Revocation, Introspection):
    provider.register_endpoint(endpoint)
provider.register_client_auth_method("client_assertion_jwt", Assertion())
provider.register_extension(Named())
provider.register_extension(SignedRequest(support_request_uri=False))
provider.register_token_generator(
    "default",
    AccessTokens(
        ISSUER, refresh_token_generator=lambda **_: token_urlsafe(32), expires_generator=lambda *_, **__: LIFETIME
    ),
)
protected = ResourceProtector()
protected.register_token_validator(Bearer())


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(METADATA)


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    decision = service.decision(request.form) if request.method == "POST" else None
    try:
        grant = provider.get_consent_grant(end_user=alice if request.method == "POST" else None)
    except OAuth2Error as error:
        return provider.handle_error_response(provider.create_oauth2_request(request), error)
    if decision is None:
        return service.PAGE
    return provider.create_authorization_response(grant_user=alice if decision == "allow" else None, grant=grant)


@app.route("/device", methods=["GET", "POST"])
def device():
    if request.method == "GET":
        return service.PAGE
    found = next((one for one in devices.values() if one["user_code"] == request.args.get("user_code")), None)
    decision = service.decision(request.form)
    if found is None or decision is None:
        return "There is no such code, or no such user.", 403
    found["is_allowed"] = decision == "allow"
    return "You may go back to the device."


@app.post("/token")
def token():
    return provider.create_token_response()


@app.post("/revoke")
def revoke():
    return provider.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.post("/introspect")
def introspect():
    return provider.create_endpoint_response(Introspection.ENDPOINT_NAME)


@app.post("/device_authorization")
def device_authorization():
    return provider.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.get("/jwks")
def keys():
    return jsonify(KeySet([KEY]).as_dict(private=False))


@app.route("/userinfo", methods=["GET", "POST"])
@protected("openid")
def user_info():
    return jsonify(Claims().generate_user_info(alice, current_token.scope))


app.run("127.0.0.1", service.PORT, threaded=True)
