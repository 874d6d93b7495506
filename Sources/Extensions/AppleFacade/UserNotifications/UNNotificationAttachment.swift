// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import ExtensionWire
public import Foundation
internal import UniformTypeIdentifiers

/// The file's uniform type identifier; overrides the file name extension.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// The part of the picture to use as thumbnail: a rectangle in the unit square, as a dictionary.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// The time in a movie or the frame of an animation to use as thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

open class UNNotificationAttachment: CopiedByReference {
    public let identifier: String
    public let url: URL
    /// A uniform type identifier, such as `public.jpeg`.
    public let type: String
    /// In the protocol's form; null for none.
    private let options: WireValue

    private init(identifier: String, url: URL, type: String, options: WireValue) {
        (self.identifier, self.url, self.type, self.options) = (identifier, url, type, options)
    }

    /// - Parameter identifier: Empty for a random one.
    /// - Throws: `UNError` 100 to 102.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        let options = WireValue(attachmentOptions: options)
        let type = try AttachableType.checked(url, hint: options["typeHint"]?.text)
        self.init(
            identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: url, type: type.identifier,
            options: options)
    }

    package convenience init?(_ json: WireValue) {
        guard let text = json["url"]?.text, let url = URL(string: text) else { return nil }
        self.init(
            identifier: json["identifier"]?.text ?? "", url: url, type: json["type"]?.text ?? "",
            options: json["options"] ?? .null)
    }

    package var json: WireValue {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "url": .string(url.absoluteString), "type": .string(type),
        ]
        if options != .null { members["options"] = options }
        return .object(members)
    }
}

extension WireValue {
    /// The options in the protocol's form, without unknown options and unusable values; null for none.
    init(attachmentOptions options: [AnyHashable: Any]?) {
        func value(_ key: String) -> WireValue? { options?[key].map { WireValue(foundationObject: $0) } }
        var members: [String: WireValue] = [:]
        if let hint = value(UNNotificationAttachmentOptionsTypeHintKey)?.text, !hint.isEmpty {
            members["typeHint"] = .string(hint)
        }
        members["thumbnailHidden"] = value(UNNotificationAttachmentOptionsThumbnailHiddenKey)?.flag
        members["clippingRect"] = value(UNNotificationAttachmentOptionsThumbnailClippingRectKey)?.unitRect
        members["thumbnailTime"] = value(UNNotificationAttachmentOptionsThumbnailTimeKey)?.seconds
        self = members.isEmpty ? .null : .object(members)
    }

    private var flag: WireValue? { (bool ?? integer.map { $0 != 0 }).map { .bool($0) } }

    /// From `dictionaryRepresentation`; nil unless inside the unit square.
    private var unitRect: WireValue? {
        var sides: [String: WireValue] = [:]
        for (name, key) in [("x", "X"), ("y", "Y"), ("width", "Width"), ("height", "Height")] {
            guard let side = self[key]?.number, (0...1).contains(side) else { return nil }
            sides[name] = .number(side)
        }
        return .object(sides)
    }

    /// Seconds or a frame number; `CMTime` arrives as Core Media's dictionary.
    private var seconds: WireValue? {
        var seconds = number
        if let value = self["value"]?.number, let scale = self["timescale"]?.number, scale > 0 {
            seconds = value / scale
        }
        return seconds.flatMap { $0 >= 0 && $0.isFinite ? .number($0) : nil }
    }
}

/// Which files can be attached. A test keeps this equal to the gateway's table, which extensions cannot import.
/// - Source: Apple, "UNNotificationAttachment": audio 5 MB, images 10 MB, movies 50 MB.
enum AttachableType {
    static let all: [UTType] = [
        .jpeg, .png, .gif, .aiff, .wav, .mp3, .mpeg4Audio, .mpeg, .mpeg2Video, .mpeg4Movie, .avi,
    ]

    /// Type hints for which there is no `UTType`.
    static let aliases: [String: UTType] = [
        "public.aifc-audio": .aiff, "com.apple.m4a-audio": .mpeg4Audio, "com.apple.m4v-video": .mpeg4Movie,
    ]

    static func maximumByteCount(of type: UTType) -> Int {
        (type.conforms(to: .audio) ? 5 : type.conforms(to: .image) ? 10 : 50) << 20
    }

    /// - Parameter hint: A uniform type identifier; overrides the file name.
    /// - Throws: `UNError` 100 if the file does not exist, 101 for an unsupported type, 102 for an invalid size.
    static func checked(_ url: URL, hint: String?) throws -> UTType {
        var isFolder: ObjCBool = false
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { throw UNError(.attachmentInvalidURL, "\(url.absoluteString) is not an existing file") }
        let type = hint.map { aliases[$0] ?? UTType($0) } ?? UTType(filenameExtension: url.pathExtension)
        guard let type, all.contains(type) else {
            throw UNError(
                .attachmentUnrecognizedType,
                hint.map { "the type hint \"\($0)\"" } ?? "the extension of \"\(url.lastPathComponent)\"")
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
        let limit = maximumByteCount(of: type)
        guard 1...limit ~= size else {
            throw UNError(
                .attachmentInvalidFileSize,
                "\(url.lastPathComponent) has \(size) bytes; 1 to \(limit) for \(type.identifier)")
        }
        return type
    }
}

// `import UserNotifications` provides these on iOS.
extension CGRect {
    public var dictionaryRepresentation: NSDictionary {
        ["X": Double(minX), "Y": Double(minY), "Width": Double(width), "Height": Double(height)] as NSDictionary
    }

    /// nil if a side is missing.
    public init?(dictionaryRepresentation dictionary: NSDictionary) {
        func side(_ key: String) -> Double? { (dictionary[key] as? NSNumber)?.doubleValue }
        guard let x = side("X"), let y = side("Y"), let width = side("Width"), let height = side("Height") else {
            return nil
        }
        self.init(x: x, y: y, width: width, height: height)
    }
}
