package import ArgumentParser

/// The commands that do not contain the gateway, in the order of the help. The program adds those that do, so that this
/// target compiles beside the gateway.
package enum ClientCommands {
    package static let first: [any ParsableCommand.Type] = [OpenCommand.self, DemoCommand.self]

    package static let ofGateway: [any ParsableCommand.Type] = [
        TokenCommand.self, CertsCommand.self, TailCommand.self, RequestsCommand.self, ConnectionsCommand.self,
        KeysCommand.self, SendCommand.self, DevicesCommand.self, DeviceCommand.self, TokensCommand.self,
        AppsCommand.self, ChannelsCommand.self, InboxCommand.self, WaitCommand.self, VerifyCommand.self,
        ActivitiesCommand.self, ExplainCommand.self, EventsCommand.self, ScreenCommand.self, DayCommand.self,
        ActCommand.self, LocalCommand.self, DonateCommand.self, DonationsCommand.self, SuggestionsCommand.self,
        CalendarCommand.self, ClockCommand.self, FaultCommand.self, WebhooksCommand.self, StateCommand.self,
        ResetCommand.self, GatherCommand.self,
    ]

    package static let last: [any ParsableCommand.Type] = [
        HygieneCommand.self, ExtensionCommand.self, ReadyzCommand.self, HandoverCommand.self, ConfigCommand.self,
        DemoExtensionCommand.self,
    ]
}
