import Intents
import UserNotifications

/// Shows a missed call with the caller's name (a communication notification).
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let number = request.content.userInfo["caller"] as? String else {
            return contentHandler(request.content)
        }
        let caller = INPerson(
            personHandle: INPersonHandle(value: number, type: .phoneNumber),
            nameComponents: nil,
            displayName: request.content.userInfo["callerName"] as? String,
            image: nil,
            contactIdentifier: nil,
            customIdentifier: nil)
        let intent = INStartCallIntent(
            callRecordFilter: nil,
            callRecordToCallBack: INCallRecord(
                identifier: request.identifier,
                dateCreated: nil,
                callRecordType: .missed,
                callCapability: .audioCall,
                callDuration: nil,
                unseen: true),
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [caller],
            callCapability: .audioCall)

        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate(completion: nil)

        do {
            contentHandler(try request.content.updating(from: intent))
        } catch {
            contentHandler(request.content)
        }
    }
}
