// As on iOS.
@_exported public import CoreLocation
@_exported public import Foundation
