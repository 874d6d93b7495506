internal import Foundation

/// A kind of file that can be attached, and how large it may be.
/// - Source: Apple, "UNNotificationAttachment": audio 5 MB, images 10 MB, films 50 MB.
struct AttachmentType: Sendable {
    var identifier: String
    var extensions: [String]
    var byteLimit: Int

    private static let megabyte = 1_048_576

    static let all: [AttachmentType] =
        audio.map { AttachmentType(identifier: $0.0, extensions: $0.1, byteLimit: 5 * megabyte) }
        + images.map { AttachmentType(identifier: $0.0, extensions: $0.1, byteLimit: 10 * megabyte) }
        + films.map { AttachmentType(identifier: $0.0, extensions: $0.1, byteLimit: 50 * megabyte) }

    private static let audio = [
        ("public.aiff-audio", ["aif", "aiff", "aifc"]), ("com.microsoft.waveform-audio", ["wav"]),
        ("public.mp3", ["mp3"]), ("public.mpeg-4-audio", ["m4a", "mp4a"]),
    ]
    private static let images = [
        ("public.jpeg", ["jpg", "jpeg", "jpe"]), ("com.compuserve.gif", ["gif"]), ("public.png", ["png"]),
    ]
    private static let films = [
        ("public.mpeg", ["mpg", "mpeg"]), ("public.mpeg-2-video", ["m2v"]), ("public.mpeg-4", ["mp4", "m4v"]),
        ("public.avi", ["avi"]),
    ]

    /// The type of a file that may be attached.
    /// - Throws: `UNError` 100 when there is no such file, 101 for a type that cannot be attached, 102 for a wrong size.
    static func checked(_ url: URL, hint: String?) throws -> AttachmentType {
        var isFolder: ObjCBool = false
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { throw UNError(.attachmentInvalidURL, "\(url.absoluteString) is no file") }
        let ending = url.pathExtension.lowercased()
        guard let type = all.first(where: { hint.map($0.goes(by:)) ?? $0.extensions.contains(ending) }) else {
            throw UNError(
                .attachmentUnrecognizedType,
                hint.map { "the type hint \"\($0)\"" } ?? "the ending of \"\(url.lastPathComponent)\"")
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
        guard 1...type.byteLimit ~= size else {
            throw UNError(
                .attachmentInvalidFileSize,
                "\(url.lastPathComponent) has \(size) bytes; 1 to \(type.byteLimit) for \(type.identifier)")
        }
        return type
    }

    /// Hints are type identifiers; people also give an ending or a MIME type's last word.
    private func goes(by hint: String) -> Bool {
        identifier == hint || extensions.contains(hint.lowercased())
    }
}
