package import Foundation

/// What a new extension starts from.
package struct ExtensionTemplate: Sendable {
    /// In which way the gateway reaches it.
    package enum Kind: String, CaseIterable, Sendable {
        /// A `NotificationService.swift` that Xcode takes as it is.
        case swift
        /// A program that speaks the protocol over its standard streams.
        case process
        /// A server that is asked over HTTP.
        case http
    }

    package var kind: Kind

    /// Chooses a template.
    package init(_ kind: Kind) { self.kind = kind }

    /// Writes the files; the folder is made.
    /// - Returns: What was written.
    /// - Throws: `ExtensionBuildError.unwritable`, also when one of the files is there already.
    package func write(to folder: URL) throws(ExtensionBuildError) -> [URL] {
        let targets = files.map { (folder.appendingPathComponent($0.name), $0) }
        for (url, _) in targets where FileManager.default.fileExists(atPath: url.path) {
            throw .unwritable("\(url.path) already exists")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (url, file) in targets {
                try Data(file.text.utf8).write(to: url)
                if file.isProgram {
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
                }
            }
        } catch {
            throw .unwritable("\(error.localizedDescription)")
        }
        return targets.map(\.0)
    }

    private struct File {
        var name: String
        var text: String
        var isProgram = false
    }

    private var files: [File] {
        switch kind {
        case .swift:
            [
                File(name: "NotificationService.swift", text: Self.notificationService),
                File(name: "Info.plist", text: Self.propertyList), File(name: "push.json", text: Self.push),
            ]
        case .process:
            [File(name: "extension.py", text: Self.program, isProgram: true), File(name: "push.json", text: Self.push)]
        case .http:
            [File(name: "server.py", text: Self.server, isProgram: true), File(name: "push.json", text: Self.push)]
        }
    }
}
