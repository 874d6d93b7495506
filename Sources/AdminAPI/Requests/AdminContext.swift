internal import Hummingbird
internal import NIOCore

/// What a request's connection tells about it.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether the request came over the loopback interface, where a browser may be led by a foreign page.
    let isLoopback: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        isLoopback = source.channel.localAddress?.isLoopback ?? false
    }
}

extension SocketAddress {
    /// Whether this is an address of the loopback interface.
    var isLoopback: Bool {
        guard let address = ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}
