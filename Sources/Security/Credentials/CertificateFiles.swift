internal import Files
internal import Foundation
internal import TLSEngine

/// The certificates' folder. Pushcote uses and replaces only files that it created.
/// It recognises a certificate by its CA, a key by its certificate, and the forms for clients by the CA in them: a record
/// could not tell its files from those that somebody puts in their place.
package struct CertificateFiles: Sendable {
    let folder: String

    package enum Name: String, CaseIterable, Sendable {
        case authority = "ca.pem"
        /// Signed by the authority, whose key is not stored; it signs the rest.
        case intermediate = "intermediate.pem"
        case intermediateKey = "private/intermediate.key"
        /// With the intermediate.
        case server = "server.pem"
        /// The server's certificate without IP addresses, with the intermediate.
        case host = "server-names.pem"
        case serverKey = "private/server.key"
        case bundle = "bundle.pem"
        case trustStore = "ca.p12"
        /// A key with its certificates; exists only during an installation or after an interrupted one.
        case newAuthority = "private/ca.new"
        case newServer = "private/server.new"
        /// Pushcote writes neither: a folder with one of these keys is another program's, or of a development version.
        case foreignAuthorityKey = "ca.key"
        case foreignServerKey = "server.key"
    }

    /// Of the folder for keys, which a container that trusts the gateway need not see.
    private static let privateFolder = "private"

    func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }

    func path(_ name: Name) -> String { path(name.rawValue) }

    func exists(_ name: Name) -> Bool { FileStore.exists(path(name)) }

    /// Runs `body` while no other process uses the folder, which is created if necessary.
    func locking<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try makeFolder()
            return try FileStore.locking(folder, body)
        } catch let problem as FileProblem {
            throw CertificateError(
                file: problem.path, problem: "it cannot be read or written (\(problem.reason))",
                remedy: "Make its folder writable for this user, or set `certificates.folder` to one that is.")
        }
    }

    /// Adds a `.gitignore` that excludes the keys from Git, unless the folder holds other files.
    private func makeFolder() throws {
        if FileStore.isFolder(folder) {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.isEmpty else {
                return
            }
        }
        do throws(FileProblem) {
            try FileStore.makeFolder(folder)
            guard FileStore.isFolder(folder) else { throw FileProblem(path: folder, reason: "Not a directory") }
        } catch {
            throw CertificateError(
                file: folder, problem: "it cannot be used as a folder (\(error.reason))",
                remedy: "Set `certificates.folder` to a folder, or to a path where one can be created.")
        }
        try FileStore.write(Array("*\n!.gitignore\n".utf8), to: path(".gitignore"), access: .everybody)
    }

    static func remedy(for name: Name) -> String { remedy(for: name.rawValue) }

    static func remedy(for file: String) -> String {
        "Pushcote does not touch files it did not create: move \(file) away, or set `certificates.folder` to another folder."
    }

    func error(_ name: Name, _ problem: String, _ remedy: String) -> CertificateError {
        CertificateError(file: path(name), problem: problem, remedy: remedy)
    }

    func refusal(of name: Name, _ problem: String) -> CertificateError {
        error(name, problem, Self.remedy(for: name))
    }

    /// Throws if Pushcote did not create one of the files.
    func checkReplaceable(_ names: [Name]) throws(CertificateError) {
        for name in names where exists(name) && !isOurs(name) {
            throw refusal(of: name, "Pushcote did not create it and would have to replace it")
        }
    }

    /// PEM, with the intermediate, which a client need not send; empty for a CA that Pushcote did not create.
    package var ownAuthorities: String {
        [.authority, .intermediate].filter(isOurs).compactMap { certificate($0)?.pem }.joined()
    }

    private func isOurs(_ name: Name) -> Bool {
        switch name {
        case .authority, .intermediate, .bundle: return certificate(name)?.isGatewaysAuthority == true
        case .server, .host: return certificate(name)?.isOfGatewaysAuthority == true
        case .intermediateKey: return isOurs(.intermediate) && isKey(name, of: .intermediate)
        case .serverKey: return [.server, .host].contains { isOurs($0) && isKey(name, of: $0) }
        case .trustStore:
            // The trust store's certificate is not encrypted.
            let mark = Array(CertificateAuthority.commonNamePrefix.utf8)
            return (try? FileStore.read(path(name)))?.contains(mark) == true
        case .newAuthority, .newServer: return false  // ours would be installed by now
        case .foreignAuthorityKey, .foreignServerKey: return false
        }
    }

    private func certificate(_ name: Name) -> Certificate? {
        // A bundle contains a hundred more certificates.
        let end = "-----END CERTIFICATE-----"
        guard let text = try? FileStore.text(path(name)), let range = text.firstRange(of: end) else { return nil }
        return try? Certificate.chain(pem: text[..<range.upperBound] + "\n").first
    }

    private func isKey(_ key: Name, of certificate: Name) -> Bool {
        guard let certificate = self.certificate(certificate), let text = try? FileStore.text(path(key)),
            let key = try? P256PrivateKey(pem: text)
        else { return false }
        return certificate.belongs(to: key)
    }

    /// - Throws: `CertificateError` for a file that is unreadable or not Pushcote's.
    func read(_ name: Name, isOurs: (Certificate) -> Bool) throws(CertificateError) -> (
        text: String, first: Certificate
    ) {
        let text = try text(name)
        let first: Certificate
        do {
            first = try Certificate.chain(pem: text)[0]
        } catch {
            throw refusal(of: name, "it is damaged (\(error.reasons.joined(separator: "; ")))")
        }
        guard isOurs(first) else {
            throw refusal(of: name, "Pushcote did not create it (its issuer is \(first.issuer))")
        }
        return (text, first)
    }

    func readKey(
        _ name: Name, of certificate: Certificate, in file: Name
    ) throws(CertificateError) -> (text: String, key: P256PrivateKey) {
        let text = try text(name)
        let key: P256PrivateKey
        do {
            key = try P256PrivateKey(pem: text)
        } catch {
            throw refusal(of: name, "\(error)")
        }
        guard certificate.belongs(to: key) else {
            throw refusal(of: name, "it is not the key of \(file.rawValue)")
        }
        return (text, key)
    }

    private func text(_ name: Name) throws(CertificateError) -> String {
        try CertificateError.text(of: path(name), remedy: Self.remedy(for: name))
    }

    /// Writes a key and its certificates to one file first, so the next start can finish an interrupted installation.
    func install(key: String, certificates: [Certificate], as new: Name) throws(FileProblem) {
        try FileStore.makeFolder(path(Self.privateFolder), mode: 0o700)
        let certificates = certificates.map(\.pem)
        try FileStore.write(Array((key + certificates.joined()).utf8), to: path(new), access: .ownerOnly)
        try finishInstalling()
    }

    /// Finishes an interrupted installation. It had already checked that it may replace the files.
    func finishInstalling() throws(FileProblem) {
        try finish(.newAuthority, key: .intermediateKey, [.intermediate, .authority]) { $0.isGatewaysAuthority }
        try finish(.newServer, key: .serverKey, [.server, .host]) { $0.isOfGatewaysAuthority }
    }

    /// - Parameter places: For one certificate each, the key's own first; what follows them belongs to each of them.
    private func finish(_ new: Name, key: Name, _ places: [Name], isOurs: (Certificate) -> Bool) throws(FileProblem) {
        guard exists(new), let first = certificate(new), isOurs(first), isKey(new, of: new) else { return }
        let begin = "-----BEGIN CERTIFICATE-----"
        let parts = try FileStore.text(path(new)).split(separator: begin, omittingEmptySubsequences: false)
        try FileStore.write(Array(parts[0].utf8), to: path(key), access: .ownerOnly)
        let certificates = parts.dropFirst().map { begin + $0 }
        let rest = certificates.dropFirst(places.count).joined()
        for (place, certificate) in zip(places, certificates) {
            try FileStore.write(Array((certificate + rest).utf8), to: path(place), access: .everybody)
        }
        try FileStore.remove(path(new))
    }
}

/// A certificate or key that prevents the start: which file, what is wrong, what to do.
package struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    package var problem: String
    package var remedy: String

    package var description: String { "\(file): \(problem). \(remedy)" }

    static func text(of file: String, remedy: String) throws(CertificateError) -> String {
        do {
            return try FileStore.text(file)
        } catch {
            throw CertificateError(file: file, problem: "it cannot be read (\(error.reason))", remedy: remedy)
        }
    }

    package static func certificates(in file: String, remedy: String) throws(CertificateError) -> String {
        let text = try text(of: file, remedy: remedy)
        do {
            _ = try Certificate.chain(pem: text)
        } catch {
            throw CertificateError(
                file: file, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))", remedy: remedy)
        }
        return text
    }
}
