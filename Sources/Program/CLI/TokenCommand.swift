internal import ArgumentParser
internal import Credentials
internal import Fields
internal import Files
internal import JSON
internal import PushcoteConfiguration
internal import TLSEngine
internal import Time

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "token", abstract: "Print a provider token for the authorization header.",
        exits: [.ok, .badConfiguration, .unreachable, .usage],
        discussion: """
            The gateway at --admin signs, on its clock, with its demonstration key. Without --admin, if none answers, or if --set names a \
            certificate folder or --key-id is given, the demonstration key of the certificate folder signs: gateways with the same folder \
            accept it. With --key, a key of yours signs. APNs accepts a token for an hour.

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
        // The folder that the command line names has the key to use.
        let isOfGateway =
            key == nil && keyID == nil && !options.overrides.contains { $0.hasPrefix("certificates.folder=") }
        if isOfGateway, let report = try await signedByGateway() {
            return StandardStreams.write(admin.json ? report.indentedText : report["token"]?.word ?? "")
        }
        let maker = try maker()
        let issuedAt = try await seconds() - (DurationText.duration(age)?.components.seconds ?? 0)
        let token = maker.token(issuedAt: issuedAt)
        let report: JSONValue = [
            "token": .string(token), "keyId": .string(maker.keyID), "teamId": .string(maker.teamID),
            "issuedAt": .integer(issuedAt),
        ]
        StandardStreams.write(admin.json ? report.indentedText : token)
    }

    /// - Returns: nil if no gateway signs, which is reported unless none is running.
    private func signedByGateway() async throws -> JSONValue? {
        var client = try AdminClient.found(at: admin.address, token: admin.token, by: options.sources)
        client.connectTimeout = .seconds(1)
        let call = APICall(
            .post, ["provider-tokens"],
            json: ["age": .string(age), "teamId": teamID.map { .string($0) }], timeout: .seconds(5))
        do {
            return try await client.ask(call).json
        } catch {
            switch error {
            case .unreachable where admin.address == nil: return nil
            case .unreachable: throw CommandFailure(error)
            // The arguments are wrong for every key.
            case .refused(400, _), .refused(409, _): throw error
            case .refused, .timedOut, .noAnswer, .tooLong, .unexpectedAnswer: break
            }
            StandardStreams.writeError("pushcote: the key of this certificate folder signs the token: \(error)")
            return nil
        }
    }

    /// The gateway's time, as its clock may be manual, in seconds since 1970; this machine's if no gateway answers.
    private func seconds() async throws(CommandFailure) -> Int64 {
        var client = try AdminClient.found(at: admin.address, token: admin.token, by: options.sources)
        client.connectTimeout = .seconds(1)
        do throws(AdminClientError) {
            let clock = try await client.ask(APICall(.get, ["clock"], timeout: .seconds(1)))
            if let now = Instant(text: clock.now.line) { return now.milliseconds / 1000 }
        } catch .unreachable {
            // No gateway is running.
        } catch {
            StandardStreams.writeError("pushcote: using this machine's time for the token: \(error)")
        }
        return SystemClock.seconds()
    }

    private func maker() throws(CommandFailure) -> ProviderTokenMaker {
        let configuration = try options.load(options.sources.ofClient).configuration
        do {
            guard let key else {
                let store = CertificateStore(folder: configuration.certificates.folder, now: SystemClock.seconds)
                let own = try DemonstrationKey(in: store)
                if own.isNew {
                    StandardStreams.writeError(
                        "pushcote: created \(own.path): only a gateway with this certificate folder accepts its tokens")
                }
                return ProviderTokenMaker(
                    keyID: keyID ?? DemonstrationKey.keyID, teamID: teamID ?? DemonstrationKey.teamID, key: own.key)
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
