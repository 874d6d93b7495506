internal import Files
package import TLSEngine

/// A provider key for experiments, created on first use and registered at each start.
package struct DemonstrationKey: Sendable {
    package static let keyID = "PUSHCOTE01"
    package static let teamID = "PUSHCOTEAM"
    package static let fileName = "AuthKey_\(keyID).p8"

    package let path: String
    package let key: P256PrivateKey
    /// Whether this made the file.
    package let isNew: Bool

    package init(in store: CertificateStore) throws {
        path = store.files.path(Self.fileName)
        let path = path
        (key, isNew) = try store.files.locking {
            guard FileStore.exists(path) else {
                let key = P256PrivateKey()
                try FileStore.write(Array(key.pem.utf8), to: path, access: .ownerOnly)
                return (key, true)
            }
            let remedy = "\(CertificateFiles.remedy(for: Self.fileName)) The next start generates a new one."
            let text = try CertificateError.text(of: path, remedy: remedy)
            do {
                return (try P256PrivateKey(pem: text), false)
            } catch {
                throw CertificateError(file: path, problem: "\(error)", remedy: remedy)
            }
        }
    }
}
