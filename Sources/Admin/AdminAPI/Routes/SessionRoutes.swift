internal import Fields
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import Synchronization
internal import TLSEngine

/// Login of browsers; open, because the page asks before it has a token.
extension AdminAPI {
    var sessionEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/session", .session, "Whether this browser must log in", id: "session",
                answers: [.shared("Session")], isOpen: true
            ) { request in Response(isLoggedIn(request.request) ? loggedIn : loggedOut) },
            Endpoint(
                .post, "/session", .session, "Log in", id: "logIn",
                about: "Opens a session of 12 hours. The 65th ends the oldest, and a restart ends all.",
                body: .required("Login"), answers: [.shared("Session")], errors: [401, 429, 503], isOpen: true
            ) { request in
                let body = try await request.object(accepting: ["token"])
                let given = body.required("token", .text)
                try body.finish()
                let cookie = try given.flatMap { try token?.logIn(request.request, token: $0) }
                return Response(loggedIn, cookie: cookie)
            },
            Endpoint(
                .delete, "/session", .session, "Log out", id: "logOut", answers: [.shared("Session")], isOpen: true
            ) { request in Response(loggedOut, cookie: token?.logOut(request.request)) },
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

struct SessionAnswer: APIShape {
    var isLoginNeeded: Bool
    /// Whether there is something to log out of.
    var isLoggedIn: Bool
    var message: String

    static let shape = Shape([
        "isLoggedIn": "Whether `DELETE` would end a session; false without `admin.token`.",
        "message": .filled("The same in words."),
    ])

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

    private struct Session {
        let digest: [UInt8]
        let end: ContinuousClock.Instant
    }

    /// Oldest first.
    private let sessions = Mutex<[Session]>([])
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// - Returns: The session's value, for the cookie.
    func open() -> String {
        let now = now()
        let value = SecureRandom.bytes(32).hexadecimal
        sessions.withLock { sessions in
            sessions.removeAll { $0.end <= now }
            if sessions.count >= Self.capacity { sessions.removeFirst() }
            sessions.append(Session(digest: SHA256.digest(of: value), end: now + Self.lifetime))
        }
        return value
    }

    func contains(_ value: String) -> Bool {
        let (now, digest) = (now(), SHA256.digest(of: value))
        return sessions.withLock { $0.contains { $0.end > now && ConstantTime.equals($0.digest, digest) } }
    }

    func close(_ value: String) {
        let digest = SHA256.digest(of: value)
        sessions.withLock { $0.removeAll { ConstantTime.equals($0.digest, digest) } }
    }
}

/// The wrong tokens of the last seconds, of logins and bearers. They only answer the next wrong ones: if the right token
/// could be locked out, anyone could do it.
final class WrongTokens: Sendable {
    /// So many are answered with 401 within `window`.
    static let limit = 5
    static let window = Duration.seconds(10)

    fileprivate struct State {
        /// Oldest first.
        var times: [ContinuousClock.Instant] = []
        var loggedAt: ContinuousClock.Instant?
        var unloggedCount = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger

    init(now: @escaping @Sendable () -> ContinuousClock.Instant, _ logger: Logger) {
        (self.now, self.logger) = (now, logger)
    }

    /// Counts a wrong token, and logs a line in `window` at most.
    /// - Returns: Its answer.
    func rejection() -> AdminError {
        let now = now()
        let (answer, count) = state.withLock { ($0.answer(at: now), $0.countToLog(at: now)) }
        if count > 0 {
            logger.warning("Wrong tokens for the admin API", metadata: ["count": "\(count)"])
        }
        return answer
    }
}

extension WrongTokens.State {
    fileprivate mutating func answer(at now: ContinuousClock.Instant) -> AdminError {
        times.removeAll { $0 + WrongTokens.window <= now }
        if times.count >= WrongTokens.limit, let first = times.first {
            return .tooManyWrongTokens(retryAfter: first + WrongTokens.window - now)
        }
        times.append(now)
        return .wrongToken
    }

    /// Those since the last line; 0 if that was a moment ago.
    fileprivate mutating func countToLog(at now: ContinuousClock.Instant) -> Int {
        unloggedCount += 1
        if let loggedAt, loggedAt + WrongTokens.window > now { return 0 }
        loggedAt = now
        defer { unloggedCount = 0 }
        return unloggedCount
    }
}

extension SHA256 {
    static func digest(of text: String) -> [UInt8] { digest(Array(text.utf8).span.bytes) }
}
