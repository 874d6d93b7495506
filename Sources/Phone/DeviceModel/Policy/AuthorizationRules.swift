/// What the person allows (B.1.2).
enum AuthorizationAnswer: String, PolicyAnswer {
    case none = "nothing may be shown"
    case quiet = "quietly, in Notification Center only"
    case full = "allowed"
}

let authorizationTable = DecisionTable<Situation, AuthorizationAnswer>(
    stage: "authorization",
    rows: [
        .init("authorization.authorized", .full, "doc: UNAuthorizationStatus")
            .asks("are the app's notifications allowed?", when: [.isAuthorized]),
        .init("authorization.denied", .none, "doc: UNNotificationServiceExtension")
            .asks("are the app's notifications turned off?", when: [.isDenied]),
        .init("authorization.provisional", .quiet, "doc: Asking permission to use notifications")
            .asks("is the app's authorization provisional?", when: [.isProvisional]),
        // The simulator changes the status when it expires.
        .init("authorization.ephemeral", .full, "gk").asks("is it an App Clip?", when: [.isAppClip]),
        .otherwise("authorization.notDetermined", .none, "HIG Notifications"),
    ])
