internal import CDocuments
package import Foundation

/// The files of a new extension, from `Extensions/Templates`.
package enum ExtensionTemplate: String, CaseIterable, Sendable {
    /// A `NotificationService.swift` that also compiles in Xcode.
    case swift
    /// Speaks the protocol over its standard streams.
    case process
    /// Speaks the protocol over HTTP.
    case http

    /// - Throws: `ExtensionBuildError.unwritable`, also if one of the files exists.
    package func write(to folder: URL) throws(ExtensionBuildError) -> [URL] {
        let targets = files.map { (folder.appendingPathComponent($0.name), $0) }
        for (url, _) in targets where FileManager.default.fileExists(atPath: url.path) {
            throw .unwritable("\(url.path) already exists")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (url, file) in targets {
                try Data(String(cString: file.text).utf8).write(to: url)
                if file.name.hasSuffix(".py") {
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
                }
            }
        } catch {
            throw .unwritable("\(error.localizedDescription)")
        }
        return targets.map(\.0)
    }

    private var files: [(name: String, text: UnsafePointer<CChar>)] {
        switch self {
        case .swift:
            [
                ("NotificationService.swift", documents_notification_service()), ("Info.plist", documents_info_plist()),
                ("push.json", documents_push_json()),
            ]
        case .process: [("extension.py", documents_extension_py()), ("push.json", documents_push_json())]
        case .http: [("server.py", documents_server_py()), ("push.json", documents_push_json())]
        }
    }
}
