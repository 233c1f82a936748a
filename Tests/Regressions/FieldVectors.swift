/// Key sets and ID tokens as they were met in the field, rebuilt with throw-away keys.
struct FieldVector: Sendable {
    /// The key set that the client sees, as JSON; empty where none is needed.
    let keys: String
    /// The ID token in its compact form.
    let token: String
}

extension FieldVector {
    /// Unknown key types first.
    private static let o1Keys = """
        {"keys":[{"kty":"AKP","alg":"ML-DSA-44","kid":"pq-1","pub":"AAECAwQF"},{"kty":"OKP","crv":"Ed448\
        ","kid":"ed448-1","x":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1N\
        jc4"},{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9OQU3\
        pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1","use":"sig","alg":"ES256"}]}
        """
    private static let o1Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEif\
        Q.j0DwztE61VrTHu1mCzbJmQ30irGEDwkO0aI39jsHS-vXkurMG3mC9tWM9wTuSStbkk2Xh3KUUuSoPdd2p9mMxA
        """
    static let o1 = FieldVector(keys: o1Keys, token: o1Token)

    /// RSA modulus with leading zero byte.
    private static let o2Keys = """
        {"keys":[{"kty":"RSA","n":"AKfJwHs-JFsdoNiebYby33TXYN2XdPaYQsP9EssM0iDmveEmMjegEIwHrtWnQFVSHAKZW\
        AdNwrQmhbDxUOOmHADgEYhgOFdUKAW2ytP0KzxUgLwkJdls1v6Rz9ZMRLIH4JQSRUttNYNWlGox0feXxqZujKY2EfgW89M5S\
        k0flnVLJENsDAsXuQBQyF88P8lLE9whaNYg-4cnD_tVRgVZuH3ElZxKTVEB6Q0FP1jSF6jyW98IPIh6bEfGTtcWK2lokuPQl\
        _0JU9xfIEBF6ckWaQyFwqpQh5-AdzsSJtBLMWa1SCpteMznkXxYAjkFHclRDKKoAYOoL-xmOsu21LHI0-c","e":"AQAB","\
        kid":"rsa-0","use":"sig","alg":"RS256"}]}
        """
    private static let o2Token = """
        eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0wIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwi\
        YXVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEi\
        fQ.Yrof5teFs6_YBZsijRkdxAKuhU1hE9X8RFWGS5mZYCElnHVnaUpKS5Xm2O_bBuAr3HvH1jbw3-n2xm_n3b89NsuzIbJVG\
        TH_3w_c8HVFhcL3TL7kl5AzW8FqKxR2PfOAqsePMizoNsnzUoEZaRXAuPAEBAuAFJvzUeUtdHGd4OmGB90IYvTdUQQiQrpZe\
        cZmSYnUHYY7xBXMeaK3EIQ-o1yHj-wAlDediEBSHTayVl9eyszjaw25mvZKFOInBDD8rWstq7vQfW3dTbZloBCO4u9-QVojv\
        0DtsN7wp2lXS0OpSu7IVM0IrrE5ffD2cdFQJfSDgQ4pkGxCaqI5rb9iRg
        """
    static let o2 = FieldVector(keys: o2Keys, token: o2Token)

    /// EC x shortened.
    private static let o3Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"yqW6gZ-rVf32WfZak_llJL0dJ6UTtiz__gX-QQC-qQ","y":"OBiHojv\
        51YNgTm6oj5LVEyrnum7GOTjSaXfdg7VD3do","kid":"ec-z","use":"sig","alg":"ES256"}]}
        """
    private static let o3Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLXoifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEif\
        Q.GgiEbo0eq55OK7-uypT5Tl7Iz9ufgvGy_VC0OQK61T9lMADIdaCMiQXOlT1-MlkV33P4ZdNXghye0pZ-Eh4bwA
        """
    static let o3 = FieldVector(keys: o3Keys, token: o3Token)

    /// Two keys, one kid.
    private static let o4Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"7fzxfwOSJmqKof1JwMH3NSzvx3r3Qro5PqNsZqoJv9k","y":"9wTNjb\
        JKCgKgvOEGIg9rM8WABDFXom_b3EOh-Y12kcc","kid":"k1","use":"sig","alg":"ES256"},{"kty":"EC","crv":"\
        P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkc\
        GgcnQuHQs","kid":"k1","use":"sig","alg":"ES256"}]}
        """
    private static let o4Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVk\
        IjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.U\
        XvF1xkRUVY2fi4N5BE3dUhcfZYa2RFF4vvVEm1TV0Wqc8Cl9bGVAc-3hWwl6yWA03bt-6shqVhqpvXKIpqCEw
        """
    static let o4 = FieldVector(keys: o4Keys, token: o4Token)

    /// Exp with fraction.
    private static let o5Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o5Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAuODExLCJub25jZSI6Im4tb3Blb\
        i0xIn0.C578lVpX3CHUDzeBd5Vi41_s_r_V4KWZIBcrV5IeqMsErc8OvwDWkL06A8MLpXMRLalLTP_gbK_W1B1DUwlgHQ
        """
    static let o5 = FieldVector(keys: o5Keys, token: o5Token)

    /// ES384 and at_hash.
    private static let o6Keys = """
        {"keys":[{"kty":"EC","crv":"P-384","x":"mQominpI_ebSgeDCneulqzQzV98nHsESHCDKNXAtXSabt2mag0T6Lrxo\
        Finwf59N","y":"tipxlTPDr5F104XrCLcw102cZQBp2vLS5vtAePl5U0cgOPtN0VNcw2JGuiSOtI8w","kid":"ec-384",\
        "alg":"ES384"}]}
        """
    private static let o6Token = """
        eyJhbGciOiJFUzM4NCIsImtpZCI6ImVjLTM4NCJ9.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiw\
        iYXVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTE\
        iLCJhdF9oYXNoIjoiX09GNDV3aUZOdnB2NUdJVzVnSnh1VklES01JSGdzMGUifQ.UR_r8m71EcAZd4M9eZXk2XR-I0iyRYql\
        wb1Bp7FrQDcQwZn4uk8I3UH9na3NCziOKtffKTUU20sBaH-aWX2qxvT3ZC-NAJU_WzAeFC2OcI_om_3uIGYrCe5d_BLVx4rr
        """
    static let o6 = FieldVector(keys: o6Keys, token: o6Token)

    /// DER signature.
    private static let o7Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o7Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEif\
        Q.MEQCIExWjsaPSBIRyFeZ5hCLuWCGn3MSPALiNvCV3DWo1QSPAiAx341i5L_1CFtJgLJo-go279ZEdWlVjwFxi3CiSm0Ttg
        """
    static let o7 = FieldVector(keys: o7Keys, token: o7Token)

    /// Alg none.
    private static let o8Token = """
        eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkIjoibmF0aXZlLWFw\
        cC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.
        """
    static let o8 = FieldVector(keys: "", token: o8Token)

    /// No kid.
    private static let o9Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","use":"sig"}]}
        """
    private static let o9Token = """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiYXVkIjoibmF0aXZlLWF\
        wcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEifQ.f8Sk4u9wgYaY9osp\
        xa0kC1cGqvaiQe-xNmAxa28vxKwhLsHSzGfPNzTbOPSPlFrPjWNoyMVR0nPvrDlyPgLivg
        """
    static let o9 = FieldVector(keys: o9Keys, token: o9Token)

    /// Five parts.
    private static let o10Token = """
        eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkExMjhHQ00iLCJjdHkiOiJKV1QifQ.oqj8jhTRurTUi3bTyrCuJpjYz-PCCLKmr\
        7fqx0M9t0DI-YbKYIeN3ztY1DMR0qFTRsYBRI9_9rzinvJVi0T4WA.8LU7LaBB_KSe8LmD.-NyzQwjlxp9GozyvpivZIkdrG\
        MeKEU6xRONKXjdPfWA.5NI-hB2OiAQZACe84xgPpQ
        """
    static let o10 = FieldVector(keys: "", token: o10Token)

    /// Tenant issuer; nonce and client as usual.
    private static let o11Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o11Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUvMTExMTIyMjItYWFhY\
        S1iYmJiLWNjY2MtMzMzMzQ0NDQ1NTU1L3YyLjAiLCJzdWIiOiJ1LTEiLCJhdWQiOiJuYXRpdmUtYXBwLTEiLCJpYXQiOjE3N\
        Dk5OTk5OTAsImV4cCI6MTc1MDAwMzYwMCwibm9uY2UiOiJuLW9wZW4tMSIsInRpZCI6IjExMTEyMjIyLWFhYWEtYmJiYi1jY\
        2NjLTMzMzM0NDQ0NTU1NSJ9.TXg-lZvj0R0NK2hoSXkPxMX-O_sRPQlDtsw1v40RRbaKCQ6RirR2Tryy1fgbNyKk4qfiX-6T\
        eAEWDkLMUIOhbQ
        """
    static let o11 = FieldVector(keys: o11Keys, token: o11Token)

    /// Aud list with azp.
    private static let o12Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o12Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjpbIm5hdGl2ZS1hcHAtMSIsImh0dHBzOi8vaWRlbnRpdHkuZXhhbXBsZS8iXSwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiO\
        jE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEiLCJhenAiOiJuYXRpdmUtYXBwLTEifQ.iehkkPZua9omX_mrZyQ2fBObDT\
        -Vu-xmq2QBdToZjxAv7YbYRpHUKAYzgwVjH3wfHE7zKHjgIvg3gr8I0s-44Q
        """
    static let o12 = FieldVector(keys: o12Keys, token: o12Token)

    /// Iat 20 s ahead.
    private static let o13Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o13Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzUwMDAwMDIwLCJleHAiOjE3NTAwMDM2MjAsIm5vbmNlIjoibi1vcGVuLTEif\
        Q.Ue_-IPa7LNhx227s1U7gMzEjhQ5OB7m6TWtHRkRN75tKIm1oaYEW5YS5vDKVy9Exud1FDCgG5krnDExrXYYwfA
        """
    static let o13 = FieldVector(keys: o13Keys, token: o13Token)

    /// Nonce absent.
    private static let o14Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o14Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDB9.8JskFiSrrHZE-SvSV2ViclvK\
        gtx1WULoRwlfte3Kd9w4MPiwGbpGBxKDbpqE3J3nny4yGG74p_2_CFOnZNmpfA
        """
    static let o14 = FieldVector(keys: o14Keys, token: o14Token)

    /// Aud without the client.
    private static let o15Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o15Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjpbImh0dHBzOi8vYXBpLmV4YW1wbGUiXSwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoib\
        i1vcGVuLTEiLCJhenAiOiJuYXRpdmUtYXBwLTEifQ.l_iIYKAMVilLvlI5HMKTjuSvL9-BbwlBF9qzUceTPaNyR9iAvRW0Sv\
        G2oRPbU6oQp73jC5pJ4xJH8QBqj0-0uw
        """
    static let o15 = FieldVector(keys: o15Keys, token: o15Token)

    /// EdDSA and at_hash.
    private static let o16Keys = """
        {"keys":[{"kty":"OKP","crv":"Ed25519","kid":"ed-1","x":"IFbX11ryHTZpyJCnoMb1MkKQqrfm7iHZaPrHyG_b\
        8Ws"}]}
        """
    private static let o16Token = """
        eyJhbGciOiJFZERTQSIsImtpZCI6ImVkLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOjE3NTAwMDM2MDAsIm5vbmNlIjoibi1vcGVuLTEiL\
        CJhdF9oYXNoIjoiMVQ0Yk8wcC1vX3RZX1hYMkRJUTVjeHZsdzFoR3dsNEZ4VS1IbXZSYTFXVSJ9.8wlf6P9eHb0evF3HMrsW\
        8VbH09k26RrbtYpf0uR3NZ330oPW0SA9Zi9kC_kJw_KHYA-pvaWlsRnyTGZgfxyYCQ
        """
    static let o16 = FieldVector(keys: o16Keys, token: o16Token)

    /// Iat 47 min ahead.
    private static let o17Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o17Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzUwMDAyODIwLCJleHAiOjE3NTAwMDY0MjAsIm5vbmNlIjoibi1vcGVuLTEif\
        Q.Em8sPZdi5kBkYs-Z7lzO6uG3iaRK9AUcx2_SuE9_6amndtX58mEhj1QSS-L1iF0_bcqQITfkWdLAd0sW4JLL1A
        """
    static let o17 = FieldVector(keys: o17Keys, token: o17Token)

    /// Exp as text.
    private static let o18Keys = """
        {"keys":[{"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY","y":"Ah2U9O\
        QU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}]}
        """
    private static let o18Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwic3ViIjoidS0xIiwiY\
        XVkIjoibmF0aXZlLWFwcC0xIiwiaWF0IjoxNzQ5OTk5OTkwLCJleHAiOiIxNzUwMDAzNjAwIiwibm9uY2UiOiJuLW9wZW4tM\
        SJ9.WZWnSeA43NoYmk4ZOm-adtNAbancHz5CNV-7vYDWSy4utjRURAdipQOrxQebAg8hXmPtXWh0kuOXrKFFJ8qw7g
        """
    static let o18 = FieldVector(keys: o18Keys, token: o18Token)
}
