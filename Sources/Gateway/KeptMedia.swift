internal import Media

/// The store of pictures and attachments, which is opened when something is first put into it or looked for.
struct KeptMedia: Sendable {
    /// nil before the gateway serves.
    var folder: String?
    var store: MediaStore?
}
