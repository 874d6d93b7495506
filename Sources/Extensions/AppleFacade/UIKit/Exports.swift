// As on iOS.
@_exported public import Foundation
