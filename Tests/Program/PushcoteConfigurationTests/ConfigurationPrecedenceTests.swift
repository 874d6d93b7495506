import APNs
import Fields
import Gateway
import PushcoteConfiguration
import Testing

/// Flags win over the environment, the environment over the file, the file over the profile.
@Suite struct ConfigurationPrecedenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file = ""
        var environment: [String: String] = [:]
        var flags: [String] = []
        var mode: GatewaySettings.AuthenticationMode
        var origin: String
    }

    static let file = "auth:\n  mode: strict\n"
    static let variable = ["PUSHCOTE_AUTH_MODE": "off"]

    static let rows = [
        Row(testDescription: "nothing is set", mode: .verify, origin: "default"),
        Row(testDescription: "the profile", file: "profile: lenient\n", mode: .off, origin: "profile lenient"),
        Row(testDescription: "the file", file: file, mode: .strict, origin: "config.yaml:2"),
        Row(
            testDescription: "the file wins over its profile", file: "profile: lenient\n" + file, mode: .strict,
            origin: "config.yaml:3"),
        Row(
            testDescription: "the file wins over a profile of the environment", file: file,
            environment: ["PUSHCOTE_PROFILE": "lenient"], mode: .strict, origin: "config.yaml:2"),
        Row(
            testDescription: "the environment", file: file, environment: variable, mode: .off,
            origin: "PUSHCOTE_AUTH_MODE"),
        Row(
            testDescription: "an empty variable is not set", file: file, environment: ["PUSHCOTE_AUTH_MODE": ""],
            mode: .strict,
            origin: "config.yaml:2"),
        Row(
            testDescription: "a flag", file: file, environment: variable, flags: ["auth.mode=verify"], mode: .verify,
            origin: "--set"),
        Row(
            testDescription: "the last flag", flags: ["auth.mode=off", "auth.mode=strict"], mode: .strict,
            origin: "--set"),
        Row(
            testDescription: "a profile given by flag wins over the file's", file: "profile: strict\n",
            flags: ["profile=lenient"], mode: .off, origin: "profile lenient"),
        Row(
            testDescription: "others' variables are left alone",
            environment: [
                "PUSHCOTE_PORT": "tcp://10.0.0.1:2197", "PUSHCOTE_SERVICE_HOST": "10.0.0.1",
                "PUSHCOTE_PORT_2197_TCP_ADDR": "10.0.0.1", "PUSHCOTE_ADMIN": "http://127.0.0.1:1",
                "PUSHCOTE_KIT": "Sources", "PUSHCOTEX": "1", "PUSHCOTE_POSTGRES_SERVICE_HOST": "10.0.0.2",
                "PUSHCOTE_POSTGRES_SERVICE_PORT": "5432", "PUSHCOTE_POSTGRES_SERVICE_PORT_SQL": "5432",
                "PUSHCOTE_POSTGRES_PORT": "tcp://10.0.0.2:5432",
                "PUSHCOTE_POSTGRES_PORT_5432_TCP": "tcp://10.0.0.2:5432",
                "PUSHCOTE_POSTGRES_PORT_5432_TCP_PROTO": "tcp", "PUSHCOTE_POSTGRES_PORT_5432_TCP_PORT": "5432",
            ], mode: .verify, origin: "default"),
    ]

    @Test(arguments: rows) func decides(_ row: Row) throws {
        let sources = ConfigurationSources(environment: row.environment, overrides: row.flags)
        let effective = try sources.load(text: row.file)
        #expect(effective.configuration.gateway.authenticationMode == row.mode)
        #expect(effective.origin(of: "auth.mode")?.description == row.origin)
    }

    @Test func profilesSetTheirSwitches() {
        #expect(Configuration(profile: .faithful) == Configuration())
        let strict = Configuration(profile: .strict).gateway
        #expect(strict.authenticationMode == .strict)
        #expect(strict.leniency == .strict)
        #expect(strict.refusesMalformedPayload && strict.refusesBackgroundPriority10)
        #expect(strict.unknownTokens == .reject)
        let lenient = Configuration(profile: .lenient).gateway
        #expect(lenient.authenticationMode == .off)
        #expect(lenient.leniency.es512OverP256)
        #expect(lenient.tokenPolicy.updateInterval == .zero)
        #expect(!lenient.oneStreamUntilAccepted)
    }

    @Test func listsComeFromVariablesWithCommas() throws {
        let sources = ConfigurationSources(
            environment: ["PUSHCOTE_LISTEN_PROVIDER": "0.0.0.0:443, [::]:2197", "PUSHCOTE_LISTEN_PROXY": "[]"],
            overrides: ["certificates.names=push.test"])
        let configuration = try sources.load(text: "").configuration
        #expect(
            configuration.listen.provider == [
                HostPort(host: "0.0.0.0", port: 443), HostPort(host: "::", port: 2197),
            ])
        #expect(configuration.listen.proxy == [])
        #expect(configuration.certificates.names == ["push.test"])
    }

    @Test func pathsAreRelativeToTheirFile() throws {
        let sources = ConfigurationSources(overrides: ["certificates.chain=chain.pem"])
        let text = "certificates:\n  folder: certs\n  key: /etc/key.pem\nkeys: [{keyId: K, teamId: T, file: k.p8}]"
        let configuration = try sources.load(text: text, name: "etc/pushcote/config.yaml").configuration
        #expect(configuration.certificates.folder == "etc/pushcote/certs")
        #expect(configuration.certificates.key == "/etc/key.pem")
        #expect(configuration.certificates.chain == "chain.pem")
        #expect(configuration.contents.keys.map(\.file) == ["etc/pushcote/k.p8"])
    }

    @Test("null from a flag or a variable means no value, as in the file") func nullIsNone() throws {
        let text = "admin: {token: tiptop}\nfixtures: there"
        let sources = ConfigurationSources(
            environment: ["PUSHCOTE_ADMIN_TOKEN": "null"], overrides: ["fixtures=null"])
        let configuration = try sources.load(text: text).configuration
        #expect(configuration.admin.token == nil && configuration.fixtures == nil)
    }
}
