internal import Fields
internal import Hummingbird

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
