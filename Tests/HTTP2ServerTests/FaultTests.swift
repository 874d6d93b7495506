import HTTP2Engine
import HTTP2Server
import TestSupport
import Testing

/// What a connection does wrong on purpose does not get into the way of what it does right.
@Suite struct FaultTests {
    @Test func `a GOAWAY that closes leaves time for the answers it promises`() async throws {
        try await withServer(.clearText) { port, _, log in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(
                    preface + headers(path: "/later", stream: 1) + headers(path: "/goaway", stream: 3)
                        + headers(path: "/body", stream: 5))
                let notice = try await client.frame { $0.type == FrameType.goAway }
                #expect(notice?.payload.prefix(4) == [0, 0, 0, 1])
                let answer = try await client.frame { $0.type == FrameType.headers }
                #expect(answer?.stream == 1)
                // Nothing about the others, and an end.
                #expect(try await client.rest().isEmpty)
            }
        }
    }

    @Test func `a silent connection says nothing when its time is over, either`() async throws {
        var limits = ConnectionLimits.patient
        limits.settingsTimeout = .milliseconds(100)
        try await withServer(.clearText, limits: limits) { port, server, log in
            try await RawClient.withConnection(to: port) { silent in
                try await silent.send(preface + headers(path: "/silence", stream: 1))
                await log.wait(for: "request 0")
                // Its time began later, and is over.
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(preface)
                    #expect(try await client.goodbye()?.code == HTTP2ErrorCode.settingsTimeout.rawValue)
                }
                #expect(server.attacks[.slowSettings] == 1)
                #expect(server.openConnectionCount >= 1)
            }
        }
    }
}
