package import APNs
package import DeviceModel
internal import DeviceSimulator
package import ExtensionHost
internal import Files
package import Media
internal import Synchronization

/// Service extensions: asked for what devices hand out, and what comes back.
extension Gateway {
    /// Runs the extensions from now on.
    ///
    /// - Parameter media: The folder for what they attach; it is made when it is needed.
    package func employ(_ host: ExtensionHost, media: String) {
        employedHost.withLock { $0 = host }
        keptMedia.withLock { $0.folder = media }
    }

    /// Pictures and attachments; nil before the gateway serves, or while their folder cannot be used.
    package var media: MediaStore? { try? openMedia() }

    /// Opens the folder of pictures and attachments.
    func openMedia() throws(FileProblem) -> MediaStore? {
        try keptMedia.withLock { kept throws(FileProblem) in
            if let store = kept.store { return store }
            guard let folder = kept.folder else { return nil }
            kept.store = try MediaStore(folder: folder)
            return kept.store
        }
    }

    /// Runs the extensions; nil before the gateway serves.
    package var extensionHost: ExtensionHost? { employedHost.withLock { $0 } }

    /// Gives the host everything that devices have to ask their extensions.
    package func askExtensions() {
        guard let host = extensionHost else { return }
        for request in simulator.takeExtensionRequests() { host.submit(request) }
    }

    /// Ends the runs whose notifications are gone.
    package func cancelForgottenExtensions() {
        extensionHost?.cancel { [simulator] in !simulator.isWithExtension($0) }
    }

    /// Lets a device deliver what its extension is done with.
    package func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest) {
        simulator.finishExtension(takingAttachments(of: run, request), of: request, at: now())
        requestLog.signal.yield()
    }

    /// Moves what an extension attached to where it can be looked at; what is no attachment is left out.
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

    /// Keeps a picture that an extension has of somebody.
    ///
    /// - Returns: Its SHA-256; nil when it cannot be had.
    package func keep(_ image: IntentImage, of request: ExtensionRequest) -> String? {
        folders(of: request).flatMap { media?.keep(image, from: $0) }
    }

    private func folders(of request: ExtensionRequest) -> ExtensionFolders? {
        extensionHost.map { ExtensionFolders($0.folder(of: request.app.bundleID)) }
    }

    /// When something happens by itself next: on a device, or because an extension's time is up.
    package var nextDue: Instant? {
        [simulator.nextDue, extensionHost?.nextDue].compactMap(\.self).min()
    }
}

extension Gateway: ExtensionHostDelegate {
    package var extensionAssumptions: Assumptions { simulator.assumptions }
}
