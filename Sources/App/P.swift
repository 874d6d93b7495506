import Hummingbird
import Yams
import ServiceLifecycle
import NIOPosix
import NIOHTTP1
import ArgumentParser
public func placeholder() {}
