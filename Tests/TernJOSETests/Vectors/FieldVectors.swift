/// Key sets and ID tokens as they were met in the field, rebuilt with throw-away keys.
enum FieldVectors {
    /// O1, unknown key types first: the key set.
    static let keys1 = """
        {"keys":[{"kty":"AKP",
        "alg":"ML-DSA-44",
        "kid":"pq-1",
        "pub":"AAECAwQF"},
        {"kty":"OKP",
        "crv":"Ed448",
        "kid":"ed448-1",
        "x":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4"},
        {"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "kid":"ec-1",
        "use":"sig",
        "alg":"ES256"}]}
        """

    /// O1, unknown key types first: the token.
    static let token1 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.j0Dwzt\
        E61VrTHu1mCzbJmQ30irGEDwkO0aI39jsHS-vXkurMG3mC9tWM9wTuSStbkk2Xh3KUUuSoPdd2p9mMxA
        """

    /// O2, RSA modulus with leading zero byte: the key set.
    static let keys2 = """
        {"keys":[{"kty":"RSA",
        "n":"AKfJwHs-JFsdoNiebYby33TXYN2XdPaYQsP9EssM0iDmveEmMjegEIwHrtWnQFVSHAKZWAdNwrQmhbDxUOOmHADgEYhgOFd\
        UKAW2ytP0KzxUgLwkJdls1v6Rz9ZMRLIH4JQSRUttNYNWlGox0feXxqZujKY2EfgW89M5Sk0flnVLJENsDAsXuQBQyF88P8lLE9w\
        haNYg-4cnD_tVRgVZuH3ElZxKTVEB6Q0FP1jSF6jyW98IPIh6bEfGTtcWK2lokuPQl_0JU9xfIEBF6ckWaQyFwqpQh5-AdzsSJtB\
        LMWa1SCpteMznkXxYAjkFHclRDKKoAYOoL-xmOsu21LHI0-c",
        "e":"AQAB",
        "kid":"rsa-0",
        "use":"sig",
        "alg":"RS256"}]}
        """

    /// O2, RSA modulus with leading zero byte: the token.
    static let token2 = """
        eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0wIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVk\
        IjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.Yrof5\
        teFs6_YBZsijRkdxAKuhU1hE9X8RFWGS5mZYCElnHVnaUpKS5Xm2O_bBuAr3HvH1jbw3-n2xm_n3b89NsuzIbJVGTH_3w_c8HVFh\
        cL3TL7kl5AzW8FqKxR2PfOAqsePMizoNsnzUoEZaRXAuPAEBAuAFJvzUeUtdHGd4OmGB90IYvTdUQQiQrpZecZmSYnUHYY7xBXMe\
        aK3EIQ-o1yHj-wAlDediEBSHTayVl9eyszjaw25mvZKFOInBDD8rWstq7vQfW3dTbZloBCO4u9-QVojv0DtsN7wp2lXS0OpSu7IV\
        M0IrrE5ffD2cdFQJfSDgQ4pkGxCaqI5rb9iRg
        """

    /// O3, EC x shortened: the key set.
    static let keys3 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"yqW6gZ-rVf32WfZak_llJL0dJ6UTtiz__gX-QQC-qQ",
        "y":"OBiHojv51YNgTm6oj5LVEyrnum7GOTjSaXfdg7VD3do",
        "kid":"ec-z",
        "use":"sig",
        "alg":"ES256"}]}
        """

    /// O3, EC x shortened: the token.
    static let token3 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLXoifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.GgiEbo\
        0eq55OK7-uypT5Tl7Iz9ufgvGy_VC0OQK61T9lMADIdaCMiQXOlT1-MlkV33P4ZdNXghye0pZ-Eh4bwA
        """

    /// O4, two keys, one kid: the key set.
    static let keys4 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"7fzxfwOSJmqKof1JwMH3NSzvx3r3Qro5PqNsZqoJv9k",
        "y":"9wTNjbJKCgKgvOEGIg9rM8WABDFXom_b3EOh-Y12kcc",
        "kid":"k1",
        "use":"sig",
        "alg":"ES256"},
        {"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "kid":"k1",
        "use":"sig",
        "alg":"ES256"}]}
        """

    /// O4, two keys, one kid: the token.
    static let token4 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkIjoi\
        bmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.UXvF1xkRU\
        VY2fi4N5BE3dUhcfZYa2RFF4vvVEm1TV0Wqc8Cl9bGVAc-3hWwl6yWA03bt-6shqVhqpvXKIpqCEw
        """

    /// O5, exp with fraction: the key set.
    static let keys5 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "kid":"ec-1"}]}
        """

    /// O5, exp with fraction: the token.
    static let token5 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAuODExLCJub25jZSI6Im4tb3Blbi0xIn0.C\
        578lVpX3CHUDzeBd5Vi41_s_r_V4KWZIBcrV5IeqMsErc8OvwDWkL06A8MLpXMRLalLTP_gbK_W1B1DUwlgHQ
        """

    /// O6, ES384 and at_hash: the key set.
    static let keys6 = """
        {"keys":[{"kty":"EC",
        "crv":"P-384",
        "x":"mQominpI_ebSgeDCneulqzQzV98nHsESHCDKNXAtXSabt2mag0T6LrxoFinwf59N",
        "y":"tipxlTPDr5F104XrCLcw102cZQBp2vLS5vtAePl5U0cgOPtN0VNcw2JGuiSOtI8w",
        "kid":"ec-384",
        "alg":"ES384"}]}
        """

    /// O6, ES384 and at_hash: the token.
    static let token6 = """
        eyJhbGciOiJFUzM4NCIsImtpZCI6ImVjLTM4NCJ9.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXV\
        kIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEiLCJhdF9\
        oYXNoIjoiX09GNDV3aUZOdnB2NUdJVzVnSnh1VklES01JSGdzMGUifQ.UR_r8m71EcAZd4M9eZXk2XR-I0iyRYqlwb1Bp7FrQDcQ\
        wZn4uk8I3UH9na3NCziOKtffKTUU20sBaH-aWX2qxvT3ZC-NAJU_WzAeFC2OcI_om_3uIGYrCe5d_BLVx4rr
        """

    /// O7, DER signature: the key set.
    static let keys7 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "kid":"ec-1"}]}
        """

    /// O7, DER signature: the token.
    static let token7 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.MEQCIE\
        xWjsaPSBIRyFeZ5hCLuWCGn3MSPALiNvCV3DWo1QSPAiAx341i5L_1CFtJgLJo-go279ZEdWlVjwFxi3CiSm0Ttg
        """

    /// O8, alg none: the token.
    static let token8 = """
        eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkIjoibmF0aXZlLWFwcC0x\
        IiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.
        """

    /// O9, no kid: the key set.
    static let keys9 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "use":"sig"}]}
        """

    /// O9, no kid: the token.
    static let token9 = """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkIjoibmF0aXZlLWFwcC0\
        xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.f8Sk4u9wgYaY9ospxa0kC1cG\
        qvaiQe-xNmAxa28vxKwhLsHSzGfPNzTbOPSPlFrPjWNoyMVR0nPvrDlyPgLivg
        """

    /// O10, five parts: the token.
    static let token10 = """
        eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkExMjhHQ00iLCJjdHkiOiJKV1QifQ.oqj8jhTRurTUi3bTyrCuJpjYz-PCCLKmr7fqx\
        0M9t0DI-YbKYIeN3ztY1DMR0qFTRsYBRI9_9rzinvJVi0T4WA.8LU7LaBB_KSe8LmD.-NyzQwjlxp9GozyvpivZIkdrGMeKEU6xR\
        ONKXjdPfWA.5NI-hB2OiAQZACe84xgPpQ
        """

    /// O16, EdDSA and at_hash: the key set.
    static let keys16 = """
        {"keys":[{"kty":"OKP",
        "crv":"Ed25519",
        "kid":"ed-1",
        "x":"IFbX11ryHTZpyJCnoMb1MkKQqrfm7iHZaPrHyG_b8Ws"}]}
        """

    /// O16, EdDSA and at_hash: the token.
    static let token16 = """
        eyJhbGciOiJFZERTQSIsImtpZCI6ImVkLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEiLCJhdF9oY\
        XNoIjoiMVQ0Yk8wcC1vX3RZX1hYMkRJUTVjeHZsdzFoR3dsNEZ4VS1IbXZSYTFXVSJ9.8wlf6P9eHb0evF3HMrsW8VbH09k26Rrb\
        tYpf0uR3NZ330oPW0SA9Zi9kC_kJw_KHYA-pvaWlsRnyTGZgfxyYCQ
        """

    /// O18, exp as text: the key set.
    static let keys18 = """
        {"keys":[{"kty":"EC",
        "crv":"P-256",
        "x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",
        "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs",
        "kid":"ec-1"}]}
        """

    /// O18, exp as text: the token.
    static let token18 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkI\
        joibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOiIxNzUwMDAzNjAwIiwibm9uY2UiOiJuLW9wZW4tMSJ9.WZWn\
        SeA43NoYmk4ZOm-adtNAbancHz5CNV-7vYDWSy4utjRURAdipQOrxQebAg8hXmPtXWh0kuOXrKFFJ8qw7g
        """
}
