"""lemonldap-ng: a single sign-on portal in Perl from Debian's packages, run by Starman without a web server in front."""

import json
import pathlib
import shutil
import subprocess
import sys

from .keys import rsa_pem
from .process import Process, free_port
from .robot import forms, walk
from .server import ALICE, CLIENTS, SCHEME, Client, Server, Skip

PACKAGED = pathlib.Path("/var/lib/lemonldap-ng/conf/lmConf-1.json")
PAGES = "/usr/share/lemonldap-ng/portal"

SETTINGS = """[all]
logLevel = warn
[configuration]
type = File
dirName = {folder}/conf
localStorage = Cache::FileCache
localStorageOptions = {{ 'namespace' => 'tern', 'default_expires_in' => 600, 'cache_root' => '{folder}/cache' }}
[portal]
staticPrefix = /static
templateDir = {pages}/templates
languages = en
[handler]
status = 0
"""

# The demonstration users sign in with their name as the password. The portal's cookies name a domain with a dot in front,
# which no browser takes for `localhost`, so they lose it on the way.
PROGRAM = """use strict; use warnings;
use Plack::Builder;
use Plack::Util;
use Lemonldap::NG::Portal::Main;
use Lemonldap::NG::Portal::UserDB::Demo;

$Lemonldap::NG::Portal::UserDB::Demo::demoAccounts{{'{user}'}} = {{ uid => '{user}', cn => 'Alice Example', mail => '{email}' }};

my $host_only = sub {{
    my $inner = shift;
    return sub {{
        return Plack::Util::response_cb($inner->(@_), sub {{
            my $fields = shift->[1];
            for my $place (grep {{ $_ % 2 == 0 && lc $fields->[$_] eq 'set-cookie' }} 0 .. $#$fields) {{
                $fields->[$place + 1] =~ s/;\\s*domain=[^;]*//i;
            }}
        }});
    }};
}};

builder {{
    mount '/favicon.ico' => sub {{ [404, [], []] }};
    mount '/' => builder {{
        enable 'Static', path => sub {{ s{{^/static/}}{{/}} }}, root => '{pages}/htdocs/static/';
        enable $host_only;
        Lemonldap::NG::Portal::Main->run({{}});
    }};
}};
"""

# The portal loads its captcha whether it is on or not, and that one wants a binding to ImageMagick.
CAPTCHA = """package Lemonldap::NG::Portal::Captcha::None;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
sub init_captcha { }
sub check_captcha { 1 }
1;
"""


class Lemonldap(Server):
    name = "lemonldap-ng"
    algorithm = "RS256"
    basic = "raw-basic"
    can_sign_in_registered = False  # it makes a confidential client, whatever was asked for
    other_basic = "invalid_client"
    signed_user_info = "RS256"
    silent_refusal = None
    judges_before_login = False
    doctor_remarks = frozenset({
        "could_not_check redirect_checked", "could_not_check redirect_registered",
        "warning id_token_algorithms",  # it offers `none`
    })
    denied_code = refused_code = "consent_required"
    denial_options = {"prompt": "consent"}  # it remembers who was allowed what
    says_bad_token = False  # 401, a challenge without a scheme, and the error is invalid_request
    revocation_methods = ()  # there is no endpoint for it
    clients = {
        **CLIENTS,
        "hybrid": CLIENTS["basic"],  # it forgets the challenge of PKCE there, so a client that must use it gets no token
        "shy": Client("shy", "none"),  # nobody has been asked about it
        "hs256": Client("web-hs256", "post", "shared-secret-0123456789-0123456789-0123456789"),
        "signed": Client("web-signed", "post", "signed-secret-0123456789-0123456789-0123456789"),
    }
    offers = frozenset([
        "browser", "desktop", "browser form_post", "browser hybrid", "end session", "form_post", "hybrid", "hybrid token", "machine", "register", "signed user info", "hs256",
        "introspection",
    ])

    def __init__(self, folder, redirect):
        super().__init__(folder, redirect)
        self.port = free_port()

    @property
    def issuer(self):
        return f"http://localhost:{self.port}/"

    @property
    def alias(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        if shutil.which("starman") is None or not PACKAGED.exists():
            if sys.platform == "linux":
                raise RuntimeError("lemonldap-ng is not installed")
            raise Skip("lemonldap-ng is packaged for Debian and Ubuntu only")
        for name in ("conf", "cache", "sessions/lock", "psessions/lock", "lib/Lemonldap/NG/Portal/Captcha"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "conf/lmConf-1.json").write_text(json.dumps(self._settings(), indent=1))
        (self.folder / "lib/Lemonldap/NG/Portal/Captcha/None.pm").write_text(CAPTCHA)
        settings, program = self.folder / "lemonldap-ng.ini", self.folder / "portal.psgi"
        settings.write_text(SETTINGS.format(folder=self.folder, pages=PAGES))
        program.write_text(PROGRAM.format(user=ALICE.name, email=ALICE.email, pages=PAGES))
        self.version = self._packaged_version()
        # Chromium opens connections beforehand, and each of them keeps a worker waiting.
        command = ["starman", "-I", str(self.folder / "lib"), "-E", "deployment", "--workers", "8"]
        process = Process(
            [*command, "--listen", f"127.0.0.1:{self.port}", str(program)], self.folder / "log",
            env={
                "PATH": "/usr/bin:/bin", "LLNG_DEFAULTCONFFILE": str(settings),
                "LLNG_DEFAULTLOGGER": "Lemonldap::NG::Common::Logger::Std",
            },
        )
        self.processes.append(process)
        process.wait_for(self.issuer + ".well-known/openid-configuration")
        self.read_metadata()

    def _packaged_version(self):
        query = ["dpkg-query", "-W", "-f", "${Version}", "liblemonldap-ng-portal-perl"]
        said = subprocess.run(query, capture_output=True, text=True).stdout
        return said.partition("+")[0]

    def _settings(self):
        """The packaged settings, with the provider and its clients in them."""
        private, public = rsa_pem()

        def storage(name):
            folder = f"{self.folder}/{name}"
            return {"Directory": folder, "LockDirectory": folder + "/lock"}

        settings = json.loads(PACKAGED.read_text())
        for name in ("applicationList", "exportedHeaders"):
            settings.pop(name, None)
        settings.update({
            "portal": self.issuer, "domain": "localhost", "securedCookie": 0, "requireToken": 0,
            "locationRules": {"localhost": {"default": "accept"}}, "loginHistoryEnabled": 0, "notification": 0,
            "authentication": "Demo", "userDB": "Same", "registerDB": "Null", "passwordDB": "Null",
            "captcha": "::Captcha::None", "localSessionStorage": "",
            "captcha_mail_enabled": 0, "captcha_register_enabled": 0, "captcha_login_enabled": 0,
            # Chromium follows a redirect after a form only to where this allows it.
            "cspFormAction": f"* {SCHEME}:",
            "globalStorage": "Apache::Session::File", "globalStorageOptions": storage("sessions"),
            "persistentStorage": "Apache::Session::File", "persistentStorageOptions": storage("psessions"),
            "issuerDBOpenIDConnectActivation": 1, "oidcServiceMetaDataIssuer": self.issuer,
            "oidcServicePrivateKeySig": private.decode(), "oidcServicePublicKeySig": public.decode(),
            "oidcServiceKeyIdSig": "rs-1", "oidcServiceAllowAuthorizationCodeFlow": 1,
            "oidcServiceAllowImplicitFlow": 1, "oidcServiceAllowHybridFlow": 1,
            "oidcServiceAllowDynamicRegistration": 1, "oidcServiceAllowOnlyDeclaredScopes": 0,
            "oidcServiceMetaDataAuthnContext": {"loa-1": 1},
            "oidcRPMetaDataOptions": {
                key: self._client(key, client) for key, client in self.clients.items() if key != "hybrid"
            },
            "oidcRPMetaDataExportedVars": {key: {"name": "cn", "email": "mail"} for key in self.clients},
        })
        for name in ("ExtraClaims", "Macros", "ScopeRules"):
            prefix = "oidcRPMetaDataOptions" if name == "ExtraClaims" else "oidcRPMetaData"
            settings[prefix + name] = {key: {} for key in self.clients}
        return settings

    def _client(self, key, client):
        signing = {
            "signed": {"IDTokenSignAlg": "RS512", "UserInfoSignAlg": "RS256"}, "hs256": {"IDTokenSignAlg": "HS256"},
        }
        is_public = client.secret is None
        options = {
            "ClientID": client.id, "DisplayName": client.id, "RedirectUris": f"{self.redirect} {self.scheme_redirect}",
            "PostLogoutRedirectUris": self.redirect, "IDTokenSignAlg": "RS256", "RefreshToken": 1, "AllowOffline": 1,
            "AccessTokenExpiration": 300, "AllowClientCredentialsGrant": 0 if is_public else 1,
            **({"Public": 1, "RequirePKCE": 1} if is_public else {"ClientSecret": client.secret}),
            **signing.get(key, {}),
        }
        return {"oidcRPMetaDataOptions" + name: value for name, value in options.items()}

    def sign_in(self, robot, address):
        return walk(robot, address, self.redirect, self._user())

    def _user(self):
        return {"user": ALICE.name, "password": ALICE.name, "confirm": "1"}

    def deny(self, robot, address):
        return walk(robot, address, self.redirect, {**self._user(), "confirm": "-1"})

    def sign_out(self, robot, address):
        return walk(robot, address, self.redirect, {"confirm": "1"})

    def consent_in_part(self, robot, address):
        raise Skip("the server grants all or nothing")

    def refused_request(self):
        return self.clients["shy"], {"prompt": "none"}

    def refuse(self, robot, address):
        # Signed in to the portal, but not yet asked.
        (form,) = (form for form in forms(robot.get(self.issuer)) if "user" in form.names)
        form.submit(robot, self._user())
        return walk(robot, address, self.redirect, {})

    def browse(self, browser):
        browser.type("input[name=user]", ALICE.name)
        browser.type("input[name=password]", ALICE.name)
        browser.picture("login-page")
        browser.click("#lform button[type=submit]")

    def browse_on(self, browser):
        browser.click_if_there("button[name=confirm], form button.positive, form .btn-success")
