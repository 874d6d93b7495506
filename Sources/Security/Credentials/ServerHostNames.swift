extension CertificateStore {
    /// Names on this machine, in Compose files, and Apple's.
    package static let standardNames = [
        "localhost", "127.0.0.1", "::1", "pushcote", "api.push.apple.com", "api.sandbox.push.apple.com",
        "api.development.push.apple.com", "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]
}
