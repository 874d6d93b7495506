internal import APNs
internal import AdminAPI
internal import ArgumentParser
internal import Credentials
internal import Fields
internal import Files
internal import JSON
internal import PushcoteConfiguration
internal import TLSEngine

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "token", abstract: "Print a provider token for the authorization header.",
        exits: [.ok, .badConfiguration, .usage],
        discussion: """
            Signs with the demonstration key, which every gateway with the same certificate folder accepts, or with the given \
            key. APNs accepts a token for an hour. The time is that of the gateway at --admin, if it is running.

            EXAMPLES
              curl -H "authorization: bearer $(pushcote token)" …
              pushcote token --key AuthKey_ABC123DEFG.p8 --key-id ABC123DEFG --team-id TEAM123456
              pushcote token --age 61m      # expired
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(help: ArgumentHelp("A .p8 file. (default: the demonstration key)", valueName: "path")) var key: String?

    @Option(help: ArgumentHelp("The key ID, for kid.", valueName: "id")) var keyID: String?

    @Option(help: ArgumentHelp("The team ID, for iss.", valueName: "id")) var teamID: String?

    @Option(help: ArgumentHelp("The age of the token.", valueName: "duration")) var age = "0s"

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard DurationText.duration(age) != nil else {
            throw ValidationError("--age is '\(age)'; accepted: 30s, 61m, 2h or PT1H")
        }
        if key != nil, keyID == nil || teamID == nil {
            throw ValidationError("--key also needs --key-id and --team-id")
        }
    }

    func run() async throws {
        let maker = try maker()
        let issuedAt = try await seconds() - (DurationText.duration(age)?.components.seconds ?? 0)
        let token = maker.token(issuedAt: issuedAt)
        let report: JSONValue = [
            "token": .string(token), "keyId": .string(maker.keyID), "teamId": .string(maker.teamID),
            "issuedAt": .integer(issuedAt),
        ]
        StandardStreams.write(admin.json ? report.indentedText : token)
    }

    /// The gateway's time, as its clock may be manual, in seconds since 1970; this machine's if no gateway answers.
    private func seconds() async throws(CommandFailure) -> Int64 {
        var client = try AdminClient.found(at: admin.address, token: admin.token, by: options.sources)
        client.connectTimeout = .seconds(1)
        do throws(AdminClientError) {
            let clock: ClockAnswer = try await client.ask(APICall(.get, ["clock"], timeout: .seconds(1)))
            if let now = Instant(text: clock.now) { return now.milliseconds / 1000 }
        } catch .unreachable {
            // No gateway is running.
        } catch {
            StandardStreams.writeError("pushcote: using this machine's time for the token: \(error)")
        }
        return SystemClock.seconds()
    }

    private func maker() throws(CommandFailure) -> ProviderTokenMaker {
        let configuration = try options.load().configuration
        do {
            guard let key else {
                let store = CertificateStore(folder: configuration.certificates.folder, now: SystemClock.seconds)
                return ProviderTokenMaker(
                    keyID: keyID ?? DemonstrationKey.keyID, teamID: teamID ?? DemonstrationKey.teamID,
                    key: try DemonstrationKey(in: store).key)
            }
            return ProviderTokenMaker(
                keyID: keyID ?? "", teamID: teamID ?? "", key: try P256PrivateKey(pem: FileStore.text(key)))
        } catch let error as KeyError {
            throw CommandFailure(.badConfiguration, "\(key ?? DemonstrationKey.fileName): \(error)")
        } catch {
            throw CommandFailure(.badConfiguration, "\(error)")
        }
    }
}
