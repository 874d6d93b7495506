// On iOS, `import Intents` brings Foundation along.
@_exported public import Foundation
