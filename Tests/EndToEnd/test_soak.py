"""A few seconds of what `make soak` runs for half an hour."""

import soak


def test_mixed_traffic_leaks_nothing(start_gateway):
    gateway = start_gateway(*soak.SETTINGS)
    report = soak.Soak(gateway).run(seconds=20, warm_up=10)
    print(soak.text(report, 10))
    assert not report.problems, soak.text(report, 10)
    assert report.answers[200] and report.answers[400] and report.answers[500] and report.answers["reset"]
    assert report.counts["delivered"] and report.counts["discarded"]
