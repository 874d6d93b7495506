// Beside Testing, UIKit would bring in an overlay that only Apple's systems have.
import Foundation
import UIKit

/// Descriptions of UIKit objects.
enum Pictures {
    static func symbol(_ name: String) -> Data? { UIImage(systemName: name)?.pngData() }
    static func size(_ data: Data) -> CGSize? { UIImage(data: data)?.size }
}
