// On iOS, `import OSLog` brings `os` along.
@_exported public import os
