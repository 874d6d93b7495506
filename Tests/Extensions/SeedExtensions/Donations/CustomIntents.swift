// The classes of the talk's intent definitions, as Xcode generates them; here parameters are stored properties.
import Intents

public class City: INObject { override public class var supportsSecureCoding: Bool { return true } }

public class CheckWeatherIntent: INIntent { public var location: City? }

public class Item: INObject { override public class var supportsSecureCoding: Bool { return true } }

public enum Size: Int {
    case unknown = 0
    case small = 1
    case medium = 2
    case large = 3
}

public class OrderCoffeeIntent: INIntent {
    public var item: Item?
    public var size: Size = .unknown
    public var date: DateComponents?
}

public enum OrderCoffeeIntentResponseCode: Int {
    case unspecified = 0
    case ready
    case continueInApp
    case inProgress
    case success
    case failure
    case failureRequiringAppLaunch
}

public class OrderCoffeeIntentResponse: INIntentResponse {
    public internal(set) var code: OrderCoffeeIntentResponseCode = .unspecified

    public convenience init(code: OrderCoffeeIntentResponseCode, userActivity: NSUserActivity?) {
        self.init()
        self.code = code
        self.userActivity = userActivity
    }
}
