package import DeviceModel
internal import Files

extension MediaStore {
    /// Moves a notification's attachments into the store.
    ///
    /// - Returns: Those that can be shown, with `sha256`, `byteCount` and detected type; findings about the others.
    package func accept(
        _ attachments: [NotificationAttachment], from folders: ExtensionFolders
    ) -> (accepted: [NotificationAttachment], findings: [Finding]) {
        var accepted: [NotificationAttachment] = []
        var findings: [Finding] = []
        for attachment in attachments {
            do throws(AttachmentError) {
                accepted.append(try accept(attachment, from: folders))
            } catch {
                findings.append(error.finding(about: attachment))
            }
        }
        return (accepted, findings.bounded)
    }

    /// C.7.
    func accept(
        _ attachment: NotificationAttachment, from folders: ExtensionFolders
    ) throws(AttachmentError) -> NotificationAttachment {
        guard let path = AttachmentRules.path(of: attachment.url) else {
            throw AttachmentError(.attachmentInvalidURL, "\(attachment.url.prefix(200)) is not a file URL")
        }
        guard let file = folders.find(path) else {
            if wasMoved(path) {
                throw AttachmentError(.attachmentMoveIntoDataStoreFailed, "\(path) was already attached and moved")
            }
            throw AttachmentError(
                .attachmentInvalidURL,
                folders.hasEntry(path)
                    ? "\(path) is no regular file; a link, a pipe or a folder cannot be attached"
                    : "there is no file \(path) in the extension's folder")
        }
        let head = file.head(AttachmentRules.headByteCount)
        let type = try AttachmentRules.type(
            of: attachment, named: file.name, byteCount: file.byteCount, head: head.span.bytes)
        var accepted = attachment
        do throws(FileProblem) {
            let bytes = try file.bytes()
            accepted.sha256 = try put(bytes)
            accepted.byteCount = bytes.count
        } catch {
            throw AttachmentError(.attachmentMoveIntoDataStoreFailed, error.reason)
        }
        if file.isMovable, file.remove() { remember(path) }
        accepted.type = type.identifier
        return accepted
    }

    /// - Returns: The picture's SHA-256; nil when it is not available.
    package func put(_ image: IntentImage, from folders: ExtensionFolders) -> String? {
        switch image {
        case .system: return nil
        case .bytes(let bytes): return putImage(bytes)
        case .url(let address): return AttachmentRules.path(of: address).flatMap { putImage(at: $0, folders) }
        case .named(let name):
            guard !name.contains("/") else { return nil }
            return ["", ".png", "@2x.png", "@3x.png", ".jpg", ".jpeg"].lazy
                .compactMap { self.putImage(at: "\(folders.bundle)/\(name)\($0)", folders) }.first
        }
    }

    private func putImage(at path: String, _ folders: ExtensionFolders) -> String? {
        guard let file = folders.find(path), file.byteCount <= Self.maximumImageByteCount,
            let bytes = try? file.bytes()
        else { return nil }
        return putImage(bytes)
    }

    private func putImage(_ bytes: [UInt8]) -> String? {
        (1...Self.maximumImageByteCount).contains(bytes.count) ? try? put(bytes) : nil
    }
}
