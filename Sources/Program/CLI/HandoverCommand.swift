internal import ArgumentParser

struct HandoverCommand: CallCommand {
    static let configuration = CommandConfiguration(
        "handover", abstract: "Hand the house of journal: postgres to a standby.",
        discussion: """
            The gateway writes a checkpoint, completes open requests and exits; a standby serves within seconds. Send it to \
            the owner; a standby's answer names the owner.

            EXAMPLES
              pushcote handover --admin http://gateway-0:8197
            """)

    @OptionGroup var admin: AdminOptions

    func request() -> APICall { APICall(.post, ["handover"]) }

    func words(_: Answer) -> String { "leaving" }
}
