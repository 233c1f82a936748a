import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Refresh") struct RefreshTests {
    @Test func rotationGivesANewTokenAndKeepsTheOldAccessTokenGood() async throws {
        let rig = Rig()
        let first = try await rig.tokens()
        let second = try Tokens(await rig.refresh(first.refresh))
        #expect(second.access != first.access)
        #expect(second.refresh != first.refresh)
        #expect(!second.refresh.isEmpty)
        #expect(try await rig.callAPI(second.access).status == 200)
        #expect(try await rig.callAPI(first.access).status == 200)
    }

    @Test func theRenewedIDTokenHasNoNonceAndTheOldLoginTime() async throws {
        let rig = Rig()
        let first = try await rig.tokens()
        rig.clock.advance(by: .seconds(500))
        let old = try await rig.claims(of: first.id)
        let new = try await rig.claims(of: Tokens(rig.refresh(first.refresh)).id)
        #expect(new["sub"] == old["sub"])
        #expect(new["auth_time"] == old["auth_time"])
        #expect(new["iat"]?.double == rig.clock.now.secondsSince1970)
        #expect(old["nonce"] == "n-1")
        #expect(new["nonce"] == nil)
    }

    @Test func aSecondUseEndsTheFamily() async throws {
        let rig = Rig()
        let first = try await rig.tokens()
        let second = try Tokens(await rig.refresh(first.refresh))
        let third = try Tokens(await rig.refresh(second.refresh))
        #expect(try await rig.refresh(first.refresh).errorCode == "invalid_grant")
        #expect(try await rig.refresh(third.refresh).errorCode == "invalid_grant")
        for token in [first.access, second.access, third.access] {
            #expect(try await rig.callAPI(token).status == 401)
        }
    }

    @Test func withinTheGraceAClientMayAskAgain() async throws {
        let rig = Rig(Rig.server { $0.settings.rotationGrace = .seconds(30) })
        let first = try await rig.tokens()
        let lost = try Tokens(await rig.refresh(first.refresh))
        rig.clock.advance(by: .seconds(29))
        let second = try Tokens(await rig.refresh(first.refresh))
        #expect(!second.refresh.isEmpty && second.refresh != lost.refresh)
        #expect(try await rig.callAPI(second.access).status == 200)
        // The grace counts from the first use, and then a second use is a theft again.
        rig.clock.advance(by: .seconds(1))
        #expect(try await rig.refresh(first.refresh).errorCode == "invalid_grant")
        #expect(try await rig.refresh(second.refresh).errorCode == "invalid_grant")
    }

    @Test func otherFamiliesLiveOn() async throws {
        let rig = Rig()
        let one = try await rig.tokens()
        let other = try await rig.tokens()
        _ = try await rig.refresh(one.refresh)
        _ = try await rig.refresh(one.refresh)
        #expect(try await rig.refresh(other.refresh).status == 200)
    }

    @Test func withoutRotationTheTokenStays() async throws {
        let rig = Rig(Rig.server { $0.settings.rotatesRefreshTokens = false })
        let first = try await rig.tokens()
        for _ in 0..<2 {
            let response = try await rig.refresh(first.refresh)
            #expect(response.status == 200)
            #expect(response.json["refresh_token"] == nil)
        }
    }

    @Test func scopesMayShrinkAndNotGrow() async throws {
        let rig = Rig()
        let first = try await rig.tokens()
        #expect(try await rig.refresh(first.refresh, ["scope": "openid admin"]).errorCode == "invalid_scope")
        let narrow = try await rig.refresh(first.refresh, ["scope": "api"])
        #expect(narrow.json["scope"] == "api")
        #expect(narrow.json["id_token"] == nil)
        let wide = try await rig.refresh(Tokens(narrow).refresh)
        #expect(wide.json["scope"] == "openid profile email api")
    }

    @Test func anOldForeignOrMissingTokenIsRefused() async throws {
        let rig = Rig(Rig.server([.app, TestClient("other")]))
        let first = try await rig.tokens()
        #expect(try await rig.refresh(first.refresh, ["client_id": "other"]).errorCode == "invalid_grant")
        #expect(try await rig.refresh("refresh-nonsense").errorCode == "invalid_grant")
        #expect(try await rig.refresh("").errorCode == "invalid_request")
        rig.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await rig.refresh(first.refresh).errorCode == "invalid_grant")
    }

    @Test func anAdministratorCanEndAGrant() async throws {
        let rig = Rig()
        let first = try await rig.tokens()
        rig.served.change { $0.revokeGrants(ofUser: "user-ada") }
        #expect(try await rig.refresh(first.refresh).errorCode == "invalid_grant")
        #expect(try await rig.callAPI(first.access).status == 401)
    }
}
