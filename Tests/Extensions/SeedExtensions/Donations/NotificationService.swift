// Runs the app's code of the talks: the push says which.
import Intents
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
        case "deletion": return answer(with: contentHandler)
        default: break
        }
        contentHandler(request.content)
    }
    /// Answers with the error codes of the deletions.
    private func answer(with contentHandler: @escaping (UNNotificationContent) -> Void) {
        Task {
            var codes: [Int] = []
            do { try await INInteraction.deleteAll() } catch { codes.append((error as NSError).code) }
            do { try await INInteraction.delete(with: ["a"]) } catch { codes.append((error as NSError).code) }
            do { try await INInteraction.delete(with: "g") } catch { codes.append((error as NSError).code) }
            let content = UNMutableNotificationContent()
            content.title = "\(codes)"
            contentHandler(content)
        }
    }
}
