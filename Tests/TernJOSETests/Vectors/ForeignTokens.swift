/// Encrypted tokens that jwcrypto 1.6.1 made; those of RSA-OAEP-384 and RSA-OAEP-512, which it does not know, are made with the
/// primitives of the Python package cryptography 50.0.2.
enum ForeignTokens {
    static let all = [
        t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, t20, t21, t22,
    ]

    /// A key on P-256
    static let p256 = """
        {"crv":"P-256","d":"mAiMONK6y0VLzF0D1M1Y0vdg5k35MXKz-6w2Avo1s6w","kty":"EC","x":"jdhFXYSKrJUi6AsuO4F\
        KCpri-zqFiZ8Z1xjxC3h4nWE","y":"4AMx-SDV8aSL8dHlxORguor-SdFwojm2lJ8ATfhXRyQ"}
        """

    /// A key on P-384
    static let p384 = """
        {"crv":"P-384","d":"6m6l7XtZSi0m_dHk3bTMar1YU_pj-f2cCddiOPyC4tW_A5Xhc1-xW1dqM9ATdgqx","kty":"EC","x"\
        :"DgABHjgTvoO69T-v5a_RSuzX2C0fxw-P_9DHrfDesXufGyitc4YPPXGzNCLBm-r1","y":"XPkie_jsIvZTgmKnpyEkE3hGWkJ\
        cHRxaIpQHCTmeq-m-aqnS4cRHJn3xm4cFV3H4"}
        """

    /// A key on P-521
    static let p521 = """
        {"crv":"P-521","d":"AKgVkPW5sOWv9I9cak7JgxxyVyP9Jh0cAIl4_0hps5ysLVeuaRUbDxlSTGjGaSLM9QOZgnIKvyXi5-4s\
        dePWHfAK","kty":"EC","x":"AR1MDPuQNk41xs5nsIiddWaukww9lUZJXPpskOM1qINVBlg06h_F4S6SBQPphRIIMVVOvcem1c\
        F4cSysuPt0nei6","y":"AXpkBwyDPtzXOXWQ-5zOZBRfgU6M34DPPfVqllenrR7ZyTkaIkIYQy06IXwwkm1Wgg9avdWXhc3Q-sg\
        UgHxg7c4n"}
        """

    /// A key on X25519
    static let x25519 = """
        {"crv":"X25519","d":"aLsrI2FmxN8NnsnBq7rWx2ilI3XK5pwvPVsBTNBCkWU","kty":"OKP","x":"qZgsfZVCLtiNBMxnk\
        T94NFzrx0SsOmfr9tGOn-InIiI"}
        """

    /// A key of 16 bytes
    static let oct16 = """
        {"k":"eveS2nyz2r9fPN5zCRbQOw","kty":"oct"}
        """

    /// A key of 24 bytes
    static let oct24 = """
        {"k":"-W1JeJ42pybZPBZu0gqfotFqytpuEPKo","kty":"oct"}
        """

    /// A key of 32 bytes
    static let oct32 = """
        {"k":"x9mwr7kjaQvm5uhgcU0nWSkdFYWql892MT1iKAL9my4","kty":"oct"}
        """

    /// A key of 48 bytes
    static let oct48 = """
        {"k":"t6-zxQgmamponSaYJXS-eftiXQ8bWiizhbW9dwKgow8AOC8TgvhSPMwldPjTYhQz","kty":"oct"}
        """

    /// A key of 64 bytes
    static let oct64 = """
        {"k":"0XjmnFo2g1_AKe6QncNyNl5GzdecRsCF5noCn9zVYFIIy4RzAF964XCW2-GsDSvXbIhIZWps9XdmUAw-8dtVfA","kty":\
        "oct"}
        """

    /// ECDH-ES A128GCM P-256
    static let t0 = JWEVector(
        name: "ECDH-ES A128GCM P-256", key: p256,
        compact: """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImVwayI6eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6IkRkbEhJ\
            VDh2Z2g5OGstQjZCelhVVTh1VzlIQjFIOU1LMmtRQUtFQkVjMEkiLCJ5IjoiX0VwblpldlN6dGluWVpjNnJkc0RYNVBuZGJ6T0Zw\
            LWlJdnRJZ1dIVEw5NCJ9fQ..-87Z8hS1YRDJnSL5.R65JLER_anwsmkgBPfLp5KQWT2Gpb8Du5Yfs1nzYpVRuRvpBB_32w5k.BLU\
            W4Wdl15s4HTphnPQaIw
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES A256CBC-HS512 P-384
    static let t1 = JWEVector(
        name: "ECDH-ES A256CBC-HS512 P-384", key: p384,
        compact: """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkNCQy1IUzUxMiIsImVwayI6eyJjcnYiOiJQLTM4NCIsImt0eSI6IkVDIiwieCI6\
            IlRuWS10WHVjc1FPcjRDUzF6U21pZzJIYzV1ckVFcEJnQmFsbW5ycjJ0TC1zZFdaX04yVXlZMEJuLU5FNmdZdTYiLCJ5IjoiTjIt\
            MVpoRWg2OHNFMHhVcTJTUWFOb3h2d2lNS0dfUDkwV05hUlZhc3QzOHNMVDVHUjlldVpQNnZBMC1mdkhqMyJ9fQ..DVLRXYG1v1eS\
            gFoOSV7E8A.hsMK0ioks-NuP24E-VZA9ZBljQbi9WtVmjrRTnK7wxHtGU6QRCWAbtE1bhuNaWVj.aGdNFb8JzhYTnHmj1Lz4tKMU\
            DrWcFAoVABEH_A_XzE8
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES A192CBC-HS384 P-521
    static let t2 = JWEVector(
        name: "ECDH-ES A192CBC-HS384 P-521", key: p521,
        compact: """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTE5MkNCQy1IUzM4NCIsImVwayI6eyJjcnYiOiJQLTUyMSIsImt0eSI6IkVDIiwieCI6\
            IkFBbHdza0VKR0U2NnlEWFBTVW5oTEZUc1BoamtIN3JFWXBMR2JiT1BKNFFYVHZsS19EaS1uSHRycnI3MncxcDdyRHIyOVZQT0E5\
            M0FBWUxYeUFNcVZIa0EiLCJ5IjoiQUNBek1lMXNIOUJOdExNRVRQY1pvVnJmZTNGVGsyY1RQUGExeWtPbXVYSzZySUFYX1pjSE1S\
            dWg5cmFVMUJEWTdzWVFRUE1STU43Rm1DN0VSZmF6aEpIeCJ9fQ..gw0zbLCViDPHs5rBulcy0w.apuPthtFt_6519poNfuRFYOBf\
            1YBItokx88YTWxXU3pE1qL8nvg-GZqQkVHisZwv.DE55KTWlw8ccmpBpc028HPmgSyUUs1sJ
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES+A256KW A256CBC-HS512 P-521
    static let t3 = JWEVector(
        name: "ECDH-ES+A256KW A256CBC-HS512 P-521", key: p521,
        compact: """
            eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZDQkMtSFM1MTIiLCJlcGsiOnsiY3J2IjoiUC01MjEiLCJrdHkiOiJF\
            QyIsIngiOiJBUUdwYm1pakI0OXRUVVFvWDBwV0xBbTJRUVJmdzZXcnJKUzBCaWZBaEtyZUU4WWE4UkJVRlV0NDlPRDVCakl3OXMw\
            akUtTE1GZTZqSFRnS1gtS19NcXpqIiwieSI6IkFHUnlZQ09vNEJjR1BzWFBoU0hjdmVOaEpHSWNwZW13bHJPSjZHOFZoLWRjZzN5\
            VE5VRHVjd1phVEhwMWxRX3RuQVVLN0tMY2wwZnMySktQVFptZHc0XzkifX0.csC8pmXyU5sh7xJQZ4Y5ByMDRNW8NHQToSPZXT93\
            V8F2lNjjRh3guZ0odao_SUTSSM48ezoLETzFmdhCxB4Qo1C8jPK6yJ6P.NHVISho5GgFv3c1ON35gcQ.31Vp8kgcGZl2mCrYIjKb\
            oXXqhvz_KuuDZDyfFkOe8_TMnhTYuCdeGdbDgY_zUnUB.kUxeQ3yrlYqHwI29mmVuxttJjRYUqo7yVOLIenLyOHM
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES+A192KW A192GCM P-256 with parties
    static let t4 = JWEVector(
        name: "ECDH-ES+A192KW A192GCM P-256 with parties", key: p256,
        compact: """
            eyJhbGciOiJFQ0RILUVTK0ExOTJLVyIsImFwdSI6IlFXeHBZMlUiLCJhcHYiOiJRbTlpIiwiZW5jIjoiQTE5MkdDTSIsImVwayI6\
            eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6InNDY0NuLTZaN3RIaGQ5SVQ5YnEtbGFCNVo0UDhVdEZkY2tPMTQtMUFtelUi\
            LCJ5IjoiQ2ZjTUdsVFZ5ek5vRlZpUi03YWMwYVJzckVRcHVlWkR1aEg4cnNyVjcyTSJ9fQ.NPgEbFHYRGks6yAGkXOBOw1eXLc7P\
            5UJBCJP9up3Ytw.hYzGGgiIuFXHzCqi.auXgjxSAK-XFYMVnwG0YRFMteHFJSlKAQ8p4qqIuXXZW9MSmkrXqzJQ.eGZ0FHY6FTBx\
            L6OqAHjvZQ
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES A256GCM P-256 with parties
    static let t5 = JWEVector(
        name: "ECDH-ES A256GCM P-256 with parties", key: p256,
        compact: """
            eyJhbGciOiJFQ0RILUVTIiwiYXB1IjoiUVd4cFkyVSIsImFwdiI6IlFtOWkiLCJlbmMiOiJBMjU2R0NNIiwiZXBrIjp7ImNydiI6\
            IlAtMjU2Iiwia3R5IjoiRUMiLCJ4IjoicktnWU9MeHZYclVzeG5Oa1Q1aG00TWdlZUI5TFo1dFdFUjZLUnI5R1JmWSIsInkiOiJf\
            VWpfaHNoalFsdjRkQlBtTDhiUjFpV0tLQ3E5cE5tbTZTWEpJZ3R0SE13In19..d4FuIS_MfHlSoX09.zim9h_M58g86DIvgus1gu\
            O6pwXdDuAU3vmh05iHtOVVJb65LLADfThI.u8taYNKepZPmPye9Noetzw
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES A256GCM X25519
    static let t6 = JWEVector(
        name: "ECDH-ES A256GCM X25519", key: x25519,
        compact: """
            eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImVwayI6eyJjcnYiOiJYMjU1MTkiLCJrdHkiOiJPS1AiLCJ4IjoiWEtQ\
            dWN4SWUyRWFNc0JEYXNsOFdINHhaTTFOazRLbnNDcHl3eWRZX3N4MCJ9fQ..ZeEx54o_bxzMn0gw.SvvgYDGHG5IYm9tXQLohRzf\
            jbxGSk87vFViO-EQrc2LMYPZsBq2X2wk.Cjj2ggrfHxyeSmWQmsrSjg
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// ECDH-ES+A128KW A128CBC-HS256 X25519
    static let t7 = JWEVector(
        name: "ECDH-ES+A128KW A128CBC-HS256 X25519", key: x25519,
        compact: """
            eyJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImVuYyI6IkExMjhDQkMtSFMyNTYiLCJlcGsiOnsiY3J2IjoiWDI1NTE5Iiwia3R5Ijoi\
            T0tQIiwieCI6Ik1TUy1qSkxOd2x1akpTN0xpYVVrYlFWa0pJa2pHYk1PUnNPN1RCcnVGZzgifX0.fqmWgT8obDLXbtuv5xFOmVV7\
            QV9RgmakT6QCHqNDGdPyOhLVklx0Hg.uVqAZPs_wCo7Z8FHvEgaPg.F2XunIx3_oow-A2ojtHUGcj0nv0VZfpkK3Ew4pA2cW9C2_\
            l6h3ETkf9kCgoWafTe._uQ8Wefoh19Qh0nQJB6z3w
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A128KW A256GCM 16
    static let t8 = JWEVector(
        name: "A128KW A256GCM 16", key: oct16,
        compact: """
            eyJhbGciOiAiQTEyOEtXIiwgImVuYyI6ICJBMjU2R0NNIn0.75VS7XTPSsqR_jSbF7dpDpMm-X-6X6or6ge9AQoOEZwGr4L5nS3G\
            vA.4VPiLM1uxmh8DuXB.APe76TUM1L6hkmI1OWeQ1WohAq7CiZ6v2VVn5Mb4C-hjEFCISv00zQo.lMZTW_szzcICMB8n05JEfA
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A192KW A192CBC-HS384 24
    static let t9 = JWEVector(
        name: "A192KW A192CBC-HS384 24", key: oct24,
        compact: """
            eyJhbGciOiAiQTE5MktXIiwgImVuYyI6ICJBMTkyQ0JDLUhTMzg0In0.8kL0EgRE_r-TVV5q79Q2cTYT49A3g5Cbp4bViv3YQkQN\
            P-7RVO4wU0OJBew_yRI0QZH1-45Ki_E.eju3wcVqgZPhehH_5dJmKA.UWOlTiJCo4z2Z5bKEnlstnp8PKKYEkq0w6ZKLrFnmztPH\
            dgN8Zdr-ZalzgLw_IMn.YF1VRcQvwMR2dJqo0w8X_nyfsi8mR_0Z
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A256KW A256CBC-HS512 32
    static let t10 = JWEVector(
        name: "A256KW A256CBC-HS512 32", key: oct32,
        compact: """
            eyJhbGciOiAiQTI1NktXIiwgImVuYyI6ICJBMjU2Q0JDLUhTNTEyIn0.jox61rsw2936yJRxjqLiYqCCc-MNYE9U-iwzcShhgrgK\
            sigZn42yC3A6ttTzDfAtD6qg8M-6zv30jADoiJWnj-gL3Fd_1m6k.Zcyk4XzdAp4_0TVZn0a-wg.PSatztvgr0eK_GUltnxmrKb5\
            NZPyy668GnwbU5X-nsRWpyh7s2ywrBo6cSClmSvQ.8qV5DQjBtUHth7REsoZQEkP4ca5ChQD9q6pZtbc7-l0
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A128GCMKW A128GCM 16
    static let t11 = JWEVector(
        name: "A128GCMKW A128GCM 16", key: oct16,
        compact: """
            eyJhbGciOiJBMTI4R0NNS1ciLCJlbmMiOiJBMTI4R0NNIiwiaXYiOiJ4R2trOVBPc2NlU3pOWUc4IiwidGFnIjoiOGdVN0NIVHFt\
            U0R2OEVlOTlrRGVodyJ9.sCb-tMnZI6QxixcaJ3UUAg.xajeNmVh6jMMgDEO.6KBLnRfMN8mwTt8QAH-hQIxz7sjAJVMdY5J3DDP\
            rApZJ6by02mu1Dj4.vdNIXoDshK86uHVZtRMetA
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A192GCMKW A192GCM 24
    static let t12 = JWEVector(
        name: "A192GCMKW A192GCM 24", key: oct24,
        compact: """
            eyJhbGciOiJBMTkyR0NNS1ciLCJlbmMiOiJBMTkyR0NNIiwiaXYiOiJMWEFuNV9SY2dtRnNZLUdoIiwidGFnIjoic2lLRlcwWS1k\
            eF9NWXJXZ182TXZSUSJ9.5mv79U16jtyrd_AXSZX7PHflWVDFonJ4.VXIIWiNp_J05FKd9.ib591xu3b7nBQDTADoBXqWkY4Pc3l\
            84CluWfVarz-sboYy4zb1ZhvRE.9m1T2kU3B8PUNWuz_YsUXQ
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// A256GCMKW A256CBC-HS512 32
    static let t13 = JWEVector(
        name: "A256GCMKW A256CBC-HS512 32", key: oct32,
        compact: """
            eyJhbGciOiJBMjU2R0NNS1ciLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwiaXYiOiJ4UHVTdldqcEJPcEtRNmFxIiwidGFnIjoiMHRL\
            bTR2UGhQTHhPSHBSZS1MaGZhdyJ9.FA9vcbvdW_E2qWhchmr4VzQuwHN-WATtTNPjG54rYPsw9Yp7YoyysuKgttraw9bjl4nAwOU\
            HNd2nx7otDd3oLA.Ewyakw8HSdJDhwZ8xy_3Sw.pc17msdgktVIpLb_oRLb3mjSCkxfkzo3rA4I3TTsrHAWJbvtyeU9FhD_9tM6q\
            38H.cG4NE3yNrZUY4yJRcZkwG_1izNxzDN3FlN7IpTbs8y0
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A128GCM 16
    static let t14 = JWEVector(
        name: "dir A128GCM 16", key: oct16,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMTI4R0NNIn0..bnoDENq1fvipI6Or.yzOR-vLXW4YWxUv4S_Cy2oqr2v6E9IPpKuCjtQ\
            TF06bDVlujtasUP6U.YppXTuhL53XgzfGAOrd8Tw
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A192GCM 24
    static let t15 = JWEVector(
        name: "dir A192GCM 24", key: oct24,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMTkyR0NNIn0..txoBDG3HD4264fDV.yYXRWPVWwHDMgK7cEzdSrC6cDJqMypTQ21DsSF\
            hwVe4PpK-Ecpf3rbI.A3OiUbuPe0e4YqLWctj4rw
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A256GCM 32
    static let t16 = JWEVector(
        name: "dir A256GCM 32", key: oct32,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMjU2R0NNIn0..iOlN8cIIbSgguTik.-ZwYILSWtkuEo0a57yMTqcwQ-kjC7cIR57p65O\
            umfnsIS6AfFYzlSSE.Cn4CIy-SqhzCly8peFgpJg
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A128CBC-HS256 32
    static let t17 = JWEVector(
        name: "dir A128CBC-HS256 32", key: oct32,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMTI4Q0JDLUhTMjU2In0..NxpLCsqhsBaazRsyHpdElA.R3tGgkLt07h4-GQ9Y7s1-B86\
            5RdMSHA3dhFcNnmAL7SX93EetUX_G-6zE7MJbU2u.Xl2w-ZXTRoG15HrBKIvTcQ
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A192CBC-HS384 48
    static let t18 = JWEVector(
        name: "dir A192CBC-HS384 48", key: oct48,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMTkyQ0JDLUhTMzg0In0.._5OVa97FJ2q47OvvtM7SYQ.tO63OEiylvE7EdgKILD65QYt\
            o8bzbYAbZfA1DTOKjq4nr_5Q3R1W-LYZFtFdB5E9.utnoPHWtl6rYN7o1nLP6XOCr6NzJ3N61
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// dir A256CBC-HS512 64
    static let t19 = JWEVector(
        name: "dir A256CBC-HS512 64", key: oct64,
        compact: """
            eyJhbGciOiAiZGlyIiwgImVuYyI6ICJBMjU2Q0JDLUhTNTEyIn0..BB8ZxjxQDBQp3K_tq9Hxzg.i4loYszwsJ_dZ7ZCIDOmP7F5\
            ueG43G3zfGvkngYtlv_QmsLHLWUEEFHJhfhuSyOK.qNBPuoI0Fh1pMx_XIeSw-QEaMMWyHBzzpYgue96TWZs
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// RSA-OAEP-256 A192CBC-HS384 RSA
    static let t20 = JWEVector(
        name: "RSA-OAEP-256 A192CBC-HS384 RSA", key: RFCTokens.a1Key,
        compact: """
            eyJhbGciOiAiUlNBLU9BRVAtMjU2IiwgImVuYyI6ICJBMTkyQ0JDLUhTMzg0In0.I3vJSVHFJojRBV32-ZqvjSxhm68DLHS0KQr_\
            sn_wrBvMz2onFvvs_sNmpbdVrrKqGeL21pNS6Ti5mnXShnXtRV-66QBkwjSwwt-5Le7cjLiANUprM2entsNCfUc3QztpeLuO6s8p\
            MWob2sAQCQy-8IEgprI0hBvpffq0XXYNRwnURgNOx2TBbONMHdmFK0WWRQbqf_tHgHHlQMftJH1le1UxLq986fQfpB6jAo9q9wMr\
            DItXYSRpioBkftlE6f9SDhNVzBAMldHJbmvHNpCmbAJEEKMweBMpR08jQL0FAm8CYLa38Kh207wgukZ50DvSCn4vE4LZg5ccmg1J\
            Bi1Tgw.8Ns0ClGDTHVFFG52NIl5Gw.n7hcUZDcI7SSRf1kgMbUcydFum2qUcvebGfP1Ccg7NBnG1vgdbJBjxPJpFd1jcfz.V8HPh\
            iwTVUpJWOvVOtLgAPjs3jKCaser
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// RSA-OAEP-384 A256GCM RSA
    static let t21 = JWEVector(
        name: "RSA-OAEP-384 A256GCM RSA", key: RFCTokens.a1Key,
        compact: """
            eyJhbGciOiJSU0EtT0FFUC0zODQiLCJlbmMiOiJBMjU2R0NNIn0.ReOxQvAQqLYJB1d0uhYPJFUogrfOXmC3iUIly2cVstLwPyHz\
            1g2UkvkgbvA5REP0pCMBvI6qbsuepnaTn2OCbbtREh-5Esw0zzHRZYbR7tbT2xQ-kIND0K04cCf--Z58K7WERTyJqV7tIckghX4f\
            U8cr6BsAdIuJ2CJSuyeSTFCnaD3hfkk2WHBC8uPD-EIQKGRa8Fgfi5au5Tb7pZxQYkX7Bfh_4p64WRVNb3D01gE9XAm8QG3eqtEH\
            NxUNY58h5sNEk8PJdKesacKIVLw1qqMO7snM3JTMC0ZsMUAzE5qgfGRdqV8PP3ytJq5qj_Bp7yg36ylBjeyvVpuJKrYroQ._MAwc\
            hMmQ5xmbPe-.EB_MPA8j_83eCzsM5YhAcAyhYHQTjaSUMJbNyqUinaFKBNDF3twt58k._Q_aVmag_R38JGjzJ3vu-Q
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)

    /// RSA-OAEP-512 A256GCM RSA
    static let t22 = JWEVector(
        name: "RSA-OAEP-512 A256GCM RSA", key: RFCTokens.a1Key,
        compact: """
            eyJhbGciOiJSU0EtT0FFUC01MTIiLCJlbmMiOiJBMjU2R0NNIn0.HJGCqb9ua_924of_qlm5iNzv4MIIxYSgBM7hRieF6ctU6qRC\
            fcRFtNQmEvQ_IbLn9x7GGMxoIgwdL-gPyJcbaygp7xdEa20Xx63B9ceKypW_JxGHT5CizUJqS6pEk77JttxSm3jXjl61_0p3OuaJ\
            CG3AhB9H0AJFci4jsmieqdGGklocn9jWrjUx-JkLg4_6abFjfxoTT_GUlyW3sf0eUW-b2NaNETeuN5cr0RuWZyHVLwueIFgyXCEi\
            9KFdblOr4d8ZVnBERnfECCcnkeyE0EMqtYpgo5ZwIRBRoJdUEeKR30Fl3cuIV2mxkSN3a6UdK4zWOFhWklg7znakxxwU2w.uXhFp\
            SavlxUde7I-.G8YUEcmcNwqpVoPLxro_uSY4U9eZKlS-E3W5dSobPhkIWqgGEh6bZcY.6ffi3QqE5drWRLXWYJG4sg
            """,
        payload: #"{"sub":"248289761001","name":"Jóna ☃"}"#)
}
