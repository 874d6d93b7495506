# make run    install what is missing, build, generate certificates, serve
# make test   install what the tests need and run them all
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
RELEASE := .build/release/pushcote

# As shipped: Swift's standard library is part of the program.
BUILD_RELEASE := swift build --configuration release --static-swift-stdlib --product

# Suites that hold latencies or memory against a bar run one at a time.
ALONE := HostileTests|HostileClientTests|MemoryTests

.PHONY: help run build test test-swift test-e2e fuzz sanitize soak attacks bench format check docker clean

help:
	@echo "make run      install what is missing, build, generate certificates, serve"
	@echo "make test     install what the tests need and run them all"
	@echo "make fuzz     fuzz every way in, FUZZ_SECONDS each (300)"
	@echo "make sanitize run the tests with AddressSanitizer and ThreadSanitizer"
	@echo "make soak     mixed traffic for SOAK_SECONDS (1800): memory, descriptors, answers"
	@echo "make attacks  the table of docs/reliability.md: what each attack does to its victim"
	@echo "make bench    measure against nghttpd"
	@echo "make format   format every source file"
	@echo "make check    check format, house, sizes and conformance"
	@echo "make docker   build the container image"

run: build
	exec $(RELEASE) serve $(ARGS)

build:
	scripts/install-packages build
	$(BUILD_RELEASE) pushcote

test: test-swift test-e2e

test-swift:
	scripts/install-packages build
	swift build --build-tests
	swift test --skip-build --skip '$(ALONE)'
	swift test --skip-build --no-parallel --filter '$(ALONE)'

# The end-to-end tests run against the program that the line above built.
test-e2e: test-swift $(VENV)/.installed
	$(VENV)/bin/pytest --quiet Tests/EndToEnd

$(VENV)/.installed: Tests/EndToEnd/requirements.txt
	scripts/install-packages test
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

fuzz:
	scripts/install-packages build
	scripts/fuzz $(ARGS)

sanitize:
	scripts/install-packages build
	scripts/sanitize $(ARGS)

soak: build $(VENV)/.installed
	PUSHCOTE_BINARY=$(RELEASE) nice -n 10 $(VENV)/bin/python Tests/EndToEnd/soak.py --seconds $(or $(SOAK_SECONDS),1800)

attacks:
	swift build --build-tests
	rm -f .build/attacks.md
	ATTACK_TABLE=$(CURDIR)/.build/attacks.md swift test --skip-build --no-parallel --filter HostileTests
	cat .build/attacks.md

bench: build
	scripts/install-packages bench
	$(BUILD_RELEASE) delivery-benchmark
	$(BUILD_RELEASE) load-generator
	Benchmarks/bench.py $(ARGS)

format:
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks Examples

check:
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks Examples
	scripts/check-house
	scripts/check-size
	scripts/conformance --check

docker:
	scripts/build-image

clean:
	swift package clean
	rm -rf $(VENV)
