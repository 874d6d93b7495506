internal import ExtensionWire
internal import Foundation
public import UserNotifications

/// A service extension as a process of its own: the gateway's requests on standard input, answers on standard output.
public enum ServiceExtensionProcess {
    /// Serves requests until standard input ends.
    ///
    /// The main thread serves `DispatchQueue.main` and the main actor; the extension is called on threads of its own.
    /// - Parameter makeExtension: Makes the principal object: one per request, unless the gateway asks for reuse.
    public static func run(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) -> Never {
        let output = ProtocolOutput()
        Defaults.writeAtTheEnd()
        Wire.shared.connect { output.write($0) }
        Wire.shared.send("ready", ["protocol": .integer(1)])
        let requests = RequestQueue(makeExtension)
        Thread.detachNewThread {
            StandardInput.forEachLine { requests.handle($0) }
            Defaults.write()
            // Without destructors, as other threads may still run.
            fflush(nil)
            _exit(0)
        }
        dispatchMain()
    }
}
