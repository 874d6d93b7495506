// Runs the app's code of the talks: the push says which.
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        switch request.content.userInfo["donate"] as? String {
        case "weather": donateWeather(in: City(identifier: "cupertino", display: "Cupertino"))
        case "san-diego": donateAndDeleteSanDiego(CheckWeatherIntent(), response: nil)
        case "coffee": orderCoffee(Item(identifier: "latte", display: "Iced Latte"), .large, on: June.seventh)
        case "activity": showCupertino()
        case "media": suggestMedia()
        case "shortcut": setRelevantShortcuts()
        case "flight": ReservationDetailsViewController(Server().roundTrip()).donateReservation()
        default: break
        }
        contentHandler(request.content)
    }
}
