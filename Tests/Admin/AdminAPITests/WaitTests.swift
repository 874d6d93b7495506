import DeviceSimulator
import Gateway
import NIOCore
import NIOHTTP1
import Testing

/// Waiting for notifications instead of polling.
@Suite(.admin, .timeLimit(.minutes(5))) struct WaitTests {
    @Test func earlierMatchesCount() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        let answer = try await admin.get("/api/v1/notifications?wait=1m")
        #expect(answer.text.contains(#""id":1,"identifier":"push-1","device":"phone""#))
        #expect(answer.text.hasSuffix(#""next":"1","hasMore":false,"dropped":0,"hasGap":false,"outcome":"complete"}"#))
        #expect(answer.headers["connection"] == nil)
    }

    @Test func aWaitEndsWithTheLastOfTheCount() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        async let waited = admin.get("/api/v1/notifications?wait=PT60S&count=3&device=phone")
        await admin.waitForWaits(1)
        #expect(admin.push(token) == 200)
        #expect(admin.push(token) == 200)
        let answer = try await waited
        #expect(answer.text.contains(#""outcome":"complete""#))
        #expect(answer.text.contains(#""next":"3""#))
    }

    @Test func aWaitThatTimesOutReturnsThePartialResult() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        let answer = try await admin.get("/api/v1/notifications?wait=20ms&count=2")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""id":1"#))
        #expect(answer.text.contains(#""outcome":"timeout""#))
        let empty = try await admin.get("/api/v1/notifications?wait=0s&since=1")
        let rest = #""next":"1","hasMore":false,"dropped":0,"hasGap":false,"outcome":"timeout"}"#
        #expect(empty.text == #"{"notifications":[],"# + rest)
    }

    @Test(arguments: ["notifications?wait=10m", "devices/phone/events?kind=sound&wait=10m"])
    func shutdownEndsWaitsAtOnce(_ path: String) async throws {
        try admin.register()
        async let waited = admin.get("/api/v1/" + path)
        await admin.waitForWaits(1)
        await admin.shutdown()
        let answer = try await waited
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""outcome":"stopping""#))
    }

    @Test("a verification has no verdict about the time it did not see") func shutdownEndsAVerification() async throws {
        for of in ["notifications", "requests"] {
            let body = #"{"of":"\#(of)","where":"topic=x","never":true,"within":"600s"}"#
            async let verified = admin.send("POST", "/api/v1/verify", body)
            await admin.waitForWaits(1)
            if of == "requests" { await admin.shutdown() } else { admin.gateway.simulator.finishWaits() }
            let answer = try await verified
            #expect(answer.status == 503)
            #expect(answer.text.contains("The gateway is stopping."))
        }
    }

    @Test func shutdownEndsConnectionsThatAreIdleOrStuckInARequest() async throws {
        let idle = try await AdminClient.connect(to: admin.address)
        try await idle.executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            try await AdminClient.write("GET", "/livez", to: outbound)
            #expect(try await AdminClient.read(&parts).status == 200)
            let stuck = try await AdminClient.connect(to: admin.address)
            try await stuck.executeThenClose { stuckInbound, stuckOutbound in
                let headers = [("Content-Length", "10"), ("Host", "localhost")]
                try await stuckOutbound.write(
                    .head(.init(version: .http1_1, method: .PUT, uri: "/api/v1/devices/a", headers: .init(headers)))
                )
                await admin.shutdown()
                #expect(try await parts.next() == nil)
                var stuckParts = stuckInbound.makeAsyncIterator()
                while (try? await stuckParts.next()) != nil {}
            }
        }
    }

    @Test func aClientThatDisconnectsEndsItsWait() async throws {
        let channel = try await AdminClient.connect(to: admin.address)
        try await channel.executeThenClose { _, outbound in
            try await AdminClient.write("GET", "/api/v1/notifications?wait=10m", to: outbound)
            await admin.waitForWaits(1)
        }
        await admin.waitForWaits(0)
    }
}
