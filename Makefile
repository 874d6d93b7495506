# make run    install missing packages, build, generate certificates, serve
# make test   install test dependencies and run all tests
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
RELEASE := .build/release/pushcote

# As shipped: the program contains Swift's libraries, and of their ICU data what it uses. It exports no symbols.
ICU_DATA := .build/icu-data.o
BUILD_RELEASE := PUSHCOTE_ICU_DATA=$(CURDIR)/$(ICU_DATA) \
	swift build --configuration release --static-swift-stdlib -Xlinker --no-export-dynamic --product

# Suites that measure latency, memory or threads, wait for real seconds or run the compiler run one at a time in
# a process of their own. Most of their time is waiting, and their bars are ratios or CPU time, so they run beside the
# end-to-end tests.
ALONE := HostileTests|HostileClientTests|HostileProcessTests|MemoryTests|ExtensionBuildTests|LoadTests|PostgresJournalTests
# Overwrites freed memory, so that its use after it was freed crashes at once; Tests/EndToEnd/gateway.py does the same.
PERTURBED := GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=65
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
# So many other tests run at once: a time limit counts from a test's start, whatever it then shares the machine with.
WIDTH := --experimental-maximum-parallelization-width $(shell echo $$((2 * $(PROCESSORS))))

.PHONY: help setup run build test fresh test-unit test-alone test-e2e release install install-program push-image fuzz sanitize soak attacks failover bench format check docker clean

help:
	@echo "make run      install missing packages, build, generate certificates, serve"
	@echo "make test     install test dependencies and run all tests"
	@echo "make fresh    both on a fresh Debian, made for this run"
	@echo "make test-unit run the Swift tests without the suites that measure or compile"
	@echo "make setup    install the Debian packages for builds and tests"
	@echo "make install  install the program: PREFIX=/usr/local"
	@echo "make release  build dist/pushcote-VERSION-linux-ARCH.tar.gz and its checksum"
	@echo "make fuzz     fuzz every input path, FUZZ_SECONDS each (300)"
	@echo "make sanitize run the tests with AddressSanitizer and ThreadSanitizer"
	@echo "make soak     mixed traffic for SOAK_SECONDS (1800): memory, descriptors, answers"
	@echo "make attacks  measure every attack of docs/hardening.md"
	@echo "make failover kill, stop and part gateways and databases, FAILOVER_ROUNDS times (30): the table of docs/reliability.md"
	@echo "make bench    compare performance with nghttpd"
	@echo "make format   format every source file"
	@echo "make check    check format, imports, sizes and conformance"
	@echo "make docker   build the container image"

setup:
	scripts/install-packages build test

run: build
	exec $(RELEASE) serve $(ARGS)

build:
	scripts/install-packages build
	@$(MAKE) --no-print-directory --silent $(ICU_DATA)
	$(BUILD_RELEASE) pushcote

$(ICU_DATA): scripts/icu-data scripts/TrimICU.swift
	scripts/icu-data $@

# The program with completions, man pages, licence, and what `extension build` compiles against.
# PROGRAM=.build/debug/pushcote installs that program and does not build: the test of `make release` does so.
PREFIX ?= /usr/local
PROGRAM := $(RELEASE)
ifeq ($(PROGRAM),$(RELEASE))
install-program: build
endif

install: install-program
	install -d $(addprefix $(PREFIX)/share/,bash-completion/completions zsh/site-functions fish/vendor_completions.d man/man1)
	$(PROGRAM) --generate-completion-script bash >$(PREFIX)/share/bash-completion/completions/pushcote
	$(PROGRAM) --generate-completion-script zsh >$(PREFIX)/share/zsh/site-functions/_pushcote
	$(PROGRAM) --generate-completion-script fish >$(PREFIX)/share/fish/vendor_completions.d/pushcote.fish
	scripts/man-pages $(PROGRAM) $(PREFIX)/share/man/man1

install-program:
	install -D --strip $(PROGRAM) $(PREFIX)/bin/pushcote
	install -d $(PREFIX)/share/pushcote/kit/Extensions
	cp -r $(addprefix Sources/Extensions/,AppleFacade ExtensionWire ServiceExtensionRuntime) $(PREFIX)/share/pushcote/kit/Extensions
	install -D --mode 644 LICENSE $(PREFIX)/share/doc/pushcote/LICENSE

VERSION = $(shell sed --quiet 's/.*text = "\(.*\)"/\1/p' Sources/Program/PushcoteConfiguration/Version.swift)
ARCHIVE = pushcote-$(VERSION)-linux-$(shell uname --machine)
DIST ?= $(CURDIR)/dist
COMPRESSION :=
release:
	rm -rf $(DIST)/$(ARCHIVE)
	$(MAKE) --no-print-directory install PREFIX=$(DIST)/$(ARCHIVE)
	scripts/check-libraries $(PROGRAM)
	tar --create --use-compress-program 'gzip $(COMPRESSION)' --file $(DIST)/$(ARCHIVE).tar.gz --directory $(DIST) \
		--owner 0 --group 0 --mode u=rwX,go=rX --sort name $(ARCHIVE)
	rm -rf $(DIST)/$(ARCHIVE)
	cd $(DIST) && sha256sum $(ARCHIVE).tar.gz >$(ARCHIVE).tar.gz.sha256

test: test-unit
	@$(MAKE) --no-print-directory --jobs 2 test-alone test-e2e

fresh:
	scripts/fresh run
	scripts/fresh test

test-unit: setup
	swift build --build-tests
	$(PERTURBED) swift test --skip-build $(WIDTH) --skip '$(ALONE)'

# These two use what test-unit built. Not with `swift test`, which would keep the end-to-end tests from building.
test-alone:
	@.build/debug/pushcotePackageTests.xctest --testing-library swift-testing --no-parallel --filter '$(ALONE)' \
		>.build/alone.log 2>&1 || { cat .build/alone.log; exit 1; }
	@tail -n 1 .build/alone.log

test-e2e: $(VENV)/.installed
	env --unset MAKEFLAGS $(VENV)/bin/pytest --quiet --numprocesses $$((2 * $(PROCESSORS))) --maxprocesses 8 --dist loadfile \
		--no-loadscope-reorder --durations 20 Tests/EndToEnd

$(VENV)/.installed: Tests/EndToEnd/requirements.txt | setup
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

failover: build $(VENV)/.installed
	$(BUILD_RELEASE) load-generator
	PUSHCOTE_BINARY=$(RELEASE) $(VENV)/bin/python Tests/EndToEnd/failover.py --rounds $(or $(FAILOVER_ROUNDS),30) $(ARGS)

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

# Builds the image for this machine's platform and pushes it: IMAGE=ghcr.io/owner/pushcote TAG=latest
push-image:
	docker buildx build --file docker/Dockerfile --push --tag $(IMAGE):$(TAG) .

clean:
	swift package clean
	rm -rf $(VENV)
