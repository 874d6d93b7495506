import RequestWire

@testable import Gateway

extension FaultRule {
    init(
        _ name: String, on stage: Stage = .request, match: FaultMatch = FaultMatch(), effect: FaultEffect,
        count: Int? = nil
    ) {
        self.init()
        (self.name, self.stage, self.match, self.effect, self.count) = (name, stage, match, effect, count)
    }
}

extension FaultMatch {
    init(_ edit: (inout FaultMatch) -> Void) {
        self.init()
        edit(&self)
    }
}

extension FaultEffect {
    init(_ edit: (inout FaultEffect) -> Void) {
        self.init()
        edit(&self)
    }
}

extension FaultAnswer {
    init(_ status: Int, _ reason: String? = nil, _ edit: (inout FaultAnswer) -> Void = { _ in }) {
        self.init()
        (self.status, self.reason) = (status, reason)
        edit(&self)
    }
}

extension FaultGoAway {
    init(_ edit: (inout FaultGoAway) -> Void) {
        self.init()
        edit(&self)
    }
}

extension FaultConnectionEnd {
    init(_ how: ConnectionEnd, _ when: Moment = .before) {
        self.init()
        (self.how, self.when) = (how, when)
    }
}
