// On iOS, `import UserNotifications` brings Foundation along, with networking and Dispatch.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
