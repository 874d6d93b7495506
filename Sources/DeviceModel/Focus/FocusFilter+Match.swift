extension FocusFilter {
    /// Whether a notification with these criteria gets through (B.2 F2; Apple, "Focus filters", WWDC22).
    ///
    /// - Parameter criteria: the notification's `filter-criteria`; without any it is not filtered (Assumption).
    package func allows(_ criteria: String?) -> Bool { criteria.map(allowedCriteria.contains) ?? true }
}

extension Focus {
    /// Whether the Focus filters of an app let a notification through; of several filters one is enough.
    ///
    /// - Parameters:
    ///   - criteria: the notification's `filter-criteria`.
    ///   - bundleID: the app it is for; another app's filters do not count.
    package func filtersAllow(_ criteria: String?, of bundleID: String) -> Bool {
        guard let criteria else { return true }
        var isFiltered = false
        for filter in filters where filter.bundleID == bundleID {
            if filter.allows(criteria) { return true }
            isFiltered = true
        }
        return !isFiltered
    }
}
