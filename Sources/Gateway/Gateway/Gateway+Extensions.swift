package import DeviceModel
internal import DeviceSimulator
package import ExtensionHost
internal import Files
package import Media
internal import Synchronization
package import Time

extension Gateway {
    /// - Parameters:
    ///   - media: The folder for attachments, created on first use.
    ///   - archive: nil if no other gateway needs the files.
    package func attach(_ host: ExtensionHost, media: String, archive: MediaArchive? = nil) {
        attachedHost.withLock { $0 = host }
        mediaFolder.withLock { ($0.path, $0.archive) = (media, archive) }
    }

    /// Call when nothing is served any more: the host refers to the gateway, so neither would be freed.
    package func detachHost() { attachedHost.withLock { $0 = nil } }

    /// nil before the gateway serves, or while its folder is unusable.
    package var media: MediaStore? { try? openMedia() }

    func openMedia() throws(FileProblem) -> MediaStore? {
        try mediaFolder.withLock { folder throws(FileProblem) in
            if folder.store == nil, let path = folder.path {
                folder.store = try MediaStore(folder: path, archive: folder.archive)
            }
            return folder.store
        }
    }

    package var extensionHost: ExtensionHost? { attachedHost.withLock { $0 } }

    /// Submits the pushes waiting for extensions. In a replay, which has no host, they are delivered unchanged.
    package func askExtensions() {
        // One caller at a time, so that afterwards the host has all requests, in their order.
        asking.withLock { _ in
            for request in simulator.takeExtensionRequests() {
                if let run = faultyRun(of: request) {
                    finishExtension(run, of: request)
                } else if let host = extensionHost {
                    host.submit(request)
                } else {
                    var run = ExtensionRun(.unreachable, startedAt: now(), endedAt: now())
                    run.detail = "a replay runs no extension"
                    finishExtension(run, of: request)
                }
            }
        }
    }

    /// Cancels runs whose notifications were removed.
    package func cancelForgottenExtensions() {
        extensionHost?.cancel { [simulator] in !simulator.isWithExtension($0) }
    }

    /// Delivers a push whose extension has finished.
    package func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest) {
        // Its notification is gone, or the gateway stops and the next start requests the extension again.
        guard run.end != .cancelled else { return }
        simulator.finishExtension(takingAttachments(of: run, request), of: request, at: now())
        requestLog.changed()
    }

    /// Moves attachments into the media store; drops invalid ones.
    private func takingAttachments(of run: ExtensionRun, _ request: ExtensionRequest) -> ExtensionRun {
        guard let attachments = run.answer?.attachments, !attachments.isEmpty, let folders = folders(of: request) else {
            return run
        }
        var run = run
        run.answer?.attachments = []
        do throws(FileProblem) {
            guard let media = try openMedia() else { return run }
            let (accepted, findings) = media.accept(attachments, from: folders)
            run.answer?.attachments = accepted
            run.findings += findings
        } catch {
            run.findings.append(
                Finding(
                    "attachment.store", .error, at: "attachments",
                    "Attachments cannot be stored in \(error.path): \(error.reason). Make it writable, or set extensions.folder."
                ))
        }
        return run
    }

    /// - Returns: The image's SHA-256; nil when it cannot be read.
    package func store(_ image: IntentImage, of request: ExtensionRequest) -> String? {
        folders(of: request).flatMap { media?.put(image, from: $0) }
    }

    private func folders(of request: ExtensionRequest) -> ExtensionFolders? {
        extensionHost.map { ExtensionFolders($0.folder(of: request.app.bundleID)) }
    }

    /// The next event on a device or an extension's time limit, whichever is first.
    package var nextDue: Instant? { [simulator.nextDue, extensionHost?.nextDue].compactMap(\.self).min() }
}

extension Gateway: ExtensionHostDelegate {
    package var extensionAssumptions: Assumptions { simulator.assumptions }
}
