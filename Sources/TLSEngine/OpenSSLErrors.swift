internal import COpenSSL

/// This thread's error queue.
enum OpenSSLErrors {
    /// Call before an operation whose errors are read.
    static func clear() { ERR_clear_error() }

    /// Empties the queue; oldest first, in OpenSSL's words.
    static func drain() -> [String] {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return reasons }
            if let text = ERR_reason_error_string(code) {
                reasons.append(String(cString: text))
            } else {
                reasons.append("error \(code)")
            }
        }
    }
}
