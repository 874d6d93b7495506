internal import AdminAPI
internal import Credentials
internal import PushcoteConfiguration

extension Configuration {
    /// Refuses an admin API that strangers could use.
    func checkAdminAccess() throws(StartError) {
        guard admin.token == nil, !admin.open, let exposed = listen.admin.first(where: { !$0.isLoopback }) else {
            return
        }
        throw StartError(
            "listen.admin has \(exposed.text), which other machines can reach: set admin.token, or admin.open=true if a "
                + "separate network protects it.")
    }

    var adminConfiguration: AdminConfiguration {
        AdminConfiguration(
            token: admin.token, allowedHosts: Set(admin.allowedHosts), silencedFindings: Set(lint.silenced))
    }
}
