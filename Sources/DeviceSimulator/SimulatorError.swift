/// Why a simulator refuses a request; the raw sentence is for people.
public enum SimulatorError: Error, Sendable, Hashable {
    /// There are as many devices as `InboxLimits.devices` allows.
    case tooManyDevices(limit: Int)
    /// The token was issued for something else.
    case tokenTaken(device: String)

    /// A sentence for people.
    public var message: String {
        switch self {
        case .tooManyDevices(let limit): "there are \(limit) devices already, as many as the limit allows"
        case .tokenTaken(let device): "the token belongs to another registration, of device \"\(device)\""
        }
    }
}
