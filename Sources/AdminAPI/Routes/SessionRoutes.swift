internal import Fields
internal import Hummingbird
internal import Synchronization
internal import TLSEngine

/// Login of browsers; open, because the page asks before it has a token.
extension AdminAPI {
    var sessionEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/session", isOpen: true) { request in
                Response(isLoggedIn(request.request) ? loggedIn : loggedOut)
            },
            Endpoint(.post, "/session", isOpen: true) { request in
                let body = try await request.object(accepting: ["token"])
                let given = body.required("token", .text)
                try body.finish()
                let cookie = try given.flatMap { try token?.logIn(request.request, token: $0) }
                return Response(loggedIn, cookie: cookie)
            },
            Endpoint(.delete, "/session", isOpen: true) { request in
                Response(loggedOut, cookie: token?.logOut(request.request))
            },
        ]
    }

    private func isLoggedIn(_ request: Request) -> Bool {
        do {
            try token?.check(request)
            return true
        } catch {
            return false
        }
    }

    private var loggedIn: SessionAnswer {
        token == nil ? .notNeeded : SessionAnswer(isLoginNeeded: false, isLoggedIn: true, message: "You are logged in.")
    }

    private var loggedOut: SessionAnswer {
        token == nil
            ? .notNeeded
            : SessionAnswer(
                isLoginNeeded: true, isLoggedIn: false,
                message: "Log in with POST /api/v1/session and the value of `admin.token`.")
    }
}

package struct SessionAnswer: APIShape {
    package var isLoginNeeded: Bool
    /// Whether there is something to log out of.
    package var isLoggedIn: Bool
    package var message: String

    fileprivate static let notNeeded = Self(
        isLoginNeeded: false, isLoggedIn: false, message: "No login is needed: `admin.token` is not set.")
}

extension Response {
    fileprivate init(_ answer: SessionAnswer, cookie: String?) {
        self.init(answer)
        headers[.setCookie] = cookie
    }
}

/// The browsers that logged in. Their EventSource and images cannot send a token, so a cookie with a random value replaces
/// it. Only the value's digest is stored, until the process exits.
final class SessionTable: Sendable {
    static let lifetime = Duration.seconds(43_200)
    /// A further login ends the oldest session.
    static let capacity = 64
    /// Wrong tokens within `window` before logins are rejected.
    static let wrongTokenLimit = 5
    static let window = Duration.seconds(10)

    private struct Session {
        let digest: [UInt8]
        let end: ContinuousClock.Instant
    }

    private struct Contents {
        /// Oldest first.
        var sessions: [Session] = []
        /// Times of wrong tokens, oldest first.
        var wrongTokens: [ContinuousClock.Instant] = []
    }

    private let contents = Mutex(Contents())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// - Returns: The session's value, for the cookie.
    func open(isTokenRight: Bool) throws(AdminError) -> String {
        let now = now()
        let value = SecureRandom.bytes(32).hexadecimal
        try contents.withLock { contents throws(AdminError) in
            contents.wrongTokens.removeAll { $0 + Self.window <= now }
            if contents.wrongTokens.count >= Self.wrongTokenLimit, let first = contents.wrongTokens.first {
                throw .tooManyLogins(retryAfter: first + Self.window - now)
            }
            guard isTokenRight else {
                contents.wrongTokens.append(now)
                throw .wrongToken
            }
            contents.sessions.removeAll { $0.end <= now }
            if contents.sessions.count >= Self.capacity { contents.sessions.removeFirst() }
            contents.sessions.append(Session(digest: SHA256.digest(of: value), end: now + Self.lifetime))
        }
        return value
    }

    func contains(_ value: String) -> Bool {
        let (now, digest) = (now(), SHA256.digest(of: value))
        return contents.withLock { contents in
            contents.sessions.contains { $0.end > now && ConstantTime.equals($0.digest, digest) }
        }
    }

    func close(_ value: String) {
        let digest = SHA256.digest(of: value)
        contents.withLock { $0.sessions.removeAll { ConstantTime.equals($0.digest, digest) } }
    }
}

extension SHA256 {
    static func digest(of text: String) -> [UInt8] { digest(Array(text.utf8).span.bytes) }
}
