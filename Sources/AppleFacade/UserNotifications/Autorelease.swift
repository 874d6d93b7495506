/// Runs `body`: there is nothing to release without Objective-C, but extensions that save memory say it.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
