internal import Hummingbird

/// What Hummingbird keeps of a request.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
