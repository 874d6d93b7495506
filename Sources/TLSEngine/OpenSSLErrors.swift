internal import COpenSSL

/// OpenSSL's error queue of this thread.
enum OpenSSLErrors {
    /// Empties the queue; to be called before a call whose failure will be read.
    static func clear() { ERR_clear_error() }

    /// Takes everything out of the queue, oldest first, in OpenSSL's words.
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
