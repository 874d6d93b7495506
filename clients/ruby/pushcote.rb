# frozen_string_literal: true

require "json"
require "net/http"
require "openssl"
require "securerandom"
require "tempfile"
require "uri"

# Pushcote in Ruby tests: simulated devices, pushes, waits and assertions. Copy this file into your project, and require
# it after Minitest or RSpec, so that a failed verification is a failure for them.
#
#   Pushcote.start do |pushcote|
#     phone = pushcote.device
#     token = phone.register("com.example.app")    # your back end pushes to the token
#     phone.wait("title~Order")
#   end
#
# It needs Ruby 3.0 and nothing else. Conditions are those of Pushcote's docs/queries.md; objects have the members of
# docs/admin-api.md. A duration is a text such as "5s" or "PT1H", or a number of seconds.
class Pushcote
  # The gateway rejects a call or does not start; the message is the gateway's.
  class Error < StandardError
    # HTTP's; nil without an answer.
    attr_reader :status

    def initialize(message, status = nil)
      super(message)
      @status = status
    end
  end

  FAILURE = [%w[Minitest Assertion], %w[RSpec Expectations ExpectationNotMetError], %w[Test Unit AssertionFailedError]]
            .map { |names| names.join("::") }.find { |name| Object.const_defined?(name) }
            .then { |name| name ? Object.const_get(name) : StandardError }
  private_constant :FAILURE

  # A verification failed; the message is the gateway's report with the nearest misses.
  class VerificationError < FAILURE
    # The answer of POST /verify.
    attr_reader :verdict

    def initialize(verdict)
      super(verdict["report"])
      @verdict = verdict
    end
  end

  ADDRESS = %r{\Ahttps?://([^/:\s]+|\[[^\]\s]+\])(:\d+)?(/\S*)?\z}
  # Unlike nil, which may come from a variable by mistake, this was not given.
  ABSENT = Object.new.freeze
  # The gateway answers a wait within 600 seconds.
  TIMEOUT = 630
  # Ends with its standard input: the gateway stops even if this process is killed.
  UNTIL_STOPPED = 'printf "%s %s\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null'
  private_constant :ADDRESS, :ABSENT, :TIMEOUT, :UNTIL_STOPPED

  # The admin address, the token, and the clock.
  attr_reader :address, :token, :clock

  # Uses the gateway at an admin address such as http://localhost:8197; by default, PUSHCOTE_ADMIN and
  # PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
  def self.connect(address = nil, token = nil)
    address ||= [ENV.fetch("PUSHCOTE_ADMIN", ""), "http://localhost:8197"].find { |one| !one.empty? }
    pushcote = new(address, token || ENV.fetch("PUSHCOTE_ADMIN_TOKEN", nil))
    info = pushcote.info
    raise pushcote.foreign(info) unless info.is_a?(Hash) && info.key?("addresses")

    pushcote
  end

  # Starts a gateway on free ports, with settings such as "auth.mode=strict"; with a block, until its end. The program
  # is PUSHCOTE in the environment, else pushcote in PATH.
  def self.start(*settings)
    program = ENV.fetch("PUSHCOTE", "pushcote")
    options = settings.flat_map { |setting| ["--set", setting] }
    log = Tempfile.new("pushcote")
    begin
      process = IO.popen([program, "exec", *options, "--", "sh", "-c", UNTIL_STOPPED], "r+", err: log.path)
    rescue SystemCallError => e
      raise Error, "Cannot run #{program}: #{e.message}. Set PUSHCOTE to the program."
    end
    address, token = process.gets.to_s.chomp.split(" ", 2)
    pushcote = new(address.to_s, token, process, log)
    unless address
      pushcote.stop
      raise Error, "The gateway has no admin address."
    end
    return pushcote unless block_given?

    finishing(-> { pushcote.stop }) { yield pushcote }
  end

  # The result of the block, with `finish` after it. The error of a failed test says more than that of its end.
  def self.finishing(finish)
    yield
  rescue Exception => e # rubocop:disable Lint/RescueException
    raise
  ensure
    begin
      finish.call
    rescue Error
      raise unless e
    end
  end
  private_class_method :finishing

  def initialize(address, token = nil, process = nil, log = nil)
    @address = address.sub(%r{(/api/v1)?/*\z}, "")
    @token = token
    @process = process
    @log = log
    @clock = Clock.new(self)
  end

  # Stops a gateway that `start` started; the error of a failed one has its log.
  def stop
    return if @process.nil? || @process.closed?

    @process.close
    # A signal is no exit status.
    raise Error, "The gateway ended with status #{$?.exitstatus || $?.termsig}:\n#{@log.read}" unless $?.success?
  end

  # Addresses, key and counts of the gateway: info["addresses"]["provider"][0] is for your back end.
  def info = call("GET", "/info")

  # The certificate authority that your back end must trust, as PEM.
  def ca = call("GET", "/ca.pem")

  # The provider API for your back end: https://localhost:PORT.
  def provider = "https://#{host}:#{port}"

  # The provider API's host: localhost on this machine, which the certificate names.
  def host = URI(address).hostname.sub(/\A(127\..*|::1)\z/, "localhost")

  # The provider API's port.
  def port = info["addresses"]["provider"].first[/\d+\z/].to_i

  # The file of `ca`, on the gateway's machine.
  def authority_file = file("PUSHCOTE_RUN_CA", info["certificate"]["caFile"])

  # The file of the key that the gateway accepts (.p8), on the gateway's machine.
  def key_file = file("PUSHCOTE_RUN_KEY", info["demonstrationKey"]["file"])

  # The key's identifier, as Apple's developer account shows it.
  def key_id = info["demonstrationKey"]["keyId"]

  # The team's identifier.
  def team_id = info["demonstrationKey"]["teamId"]

  # A provider token for the header `authorization: bearer …`, which the gateway signs now with its key.
  def provider_token = call("POST", "/provider-tokens", body: {})["token"]

  # Makes a device, with a unique name unless given, and conditions such as isOnline: false.
  def device(name = "device-#{SecureRandom.hex(6)}", **conditions)
    call("PUT", "/devices/{name}", name, body: conditions)
    Device.new(self, name)
  end

  # Asserts that the right notifications, requests or events arrived; the answer of POST /verify. `expectation` has
  # count, never, within, order, of, device, since and clock. Raises VerificationError with the nearest misses.
  def verify(where = ABSENT, **expectation)
    body = where.equal?(ABSENT) ? expectation : { where: where, **expectation }
    body = { **body, within: Pushcote.duration(body[:within]) } if body.key?(:within)
    Pushcote.check(body)
    verdict = call("POST", "/verify", body: body, accept: 406)
    raise VerificationError, verdict unless verdict["verified"] == true

    verdict
  end

  # The first 100 that devices received: notifications(device: "phone", where: ["badge>2"], limit: 1000).
  def notifications(**filters) = call("GET", "/notifications", query: filters)["notifications"]

  # Everything about a notification.
  def notification(id) = call("GET", "/notifications/{id}", id)

  # Why the device showed a notification as it did, in sentences.
  def explain(notification)
    call("GET", "/notifications/{id}/explanation", notification.is_a?(Hash) ? notification["id"] : notification)
  end

  # The first 100 requests of providers, with their answers: requests(reason: "BadDeviceToken").
  def requests(**filters) = call("GET", "/requests", query: filters)["requests"]

  # Makes the gateway fail until the block ends: fault(scenario: "outage") { … }. The block gets the rules' names.
  def fault(**rule)
    Pushcote.check(rule)
    names = call("POST", "/faults", body: rule)["faults"].map { |one| one["name"] }
    remove = -> { names.each { |name| call("DELETE", "/faults/{name}", name) } }
    Pushcote.send(:finishing, remove) { yield names }
  end

  # Removes devices, apps, requests and faults except those to keep: reset("devices").
  def reset(*keep) = call("POST", "/reset", body: { keep: keep })

  # A call of the admin API: a path of openapi.yaml below /api/v1 and the values for its braces. Returns the JSON or
  # text of an answer below 400 or with the status `accept`; raises Error otherwise.
  def call(method, path, *values, body: nil, query: {}, accept: nil)
    unless ADDRESS.match?(address)
      raise Error, "The admin address is \"#{address}\"; accepted: one such as http://localhost:8197."
    end

    [*values.map { |value| ["a value of the path", value] }, *query].each do |name, value|
      Pushcote.check(value, name, has_hashes: false)
    end
    values.each { |value| path = path.sub(/\{\w+\}/) { URI.encode_www_form_component(value).gsub("+", "%20") } }
    uri = URI("#{address}/api/v1#{path}?#{URI.encode_www_form(query)}")
    headers = { "Content-Type" => "application/json" }
    headers["Authorization"] = "Bearer #{token}" unless token.to_s.empty?
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri, headers)
    request.body = JSON.generate(body) if body
    # The admin API is on loopback or in the test's network, never behind a proxy.
    options = { read_timeout: TIMEOUT, use_ssl: uri.scheme == "https" }
    answer = Net::HTTP.start(uri.hostname, uri.port, nil, options) { |http| http.request(request) }
    content = content_of(answer)
    return content if answer.code.to_i < 400 || answer.code.to_i == accept

    message = content["error"] if content.is_a?(Hash)
    raise message ? Error.new(message, answer.code.to_i) : foreign(content, answer.code.to_i)
  rescue SystemCallError, SocketError, IOError, Timeout::Error, Net::ProtocolError, Net::HTTPBadResponse,
         OpenSSL::SSL::SSLError => e
    raise Error, "No answer from #{address}: #{e.message}"
  end

  def content_of(answer)
    text = answer.body.to_s.force_encoding("UTF-8")
    answer.content_type == "application/json" ? JSON.parse(text) : text
  rescue JSON::ParserError
    raise foreign(text)
  end
  private :content_of

  # The error for the answer of another server.
  def foreign(content, status = nil)
    Error.new("#{address} is not Pushcote's admin API: #{content.to_s[0, 200]}", status)
  end

  # `pushcote exec` may have been started in another folder than the test.
  def file(variable, path)
    named = ENV.fetch(variable, "") if address == ENV["PUSHCOTE_ADMIN"]
    File.expand_path(named.to_s.empty? ? path : named)
  end
  private :file

  # A duration as the gateway reads it.
  def self.duration(value) = value.is_a?(Numeric) ? "#{(value * 1000).round}ms" : value

  # Raises ArgumentError for nil, without which a condition would match more, and for what JSON would turn into a text.
  def self.check(value, path = nil, has_hashes: true)
    raise ArgumentError, "#{path} is nil; give it a value, or leave it out." if value.nil?

    members = value.each_with_index.map { |one, index| [index, one] } if value.is_a?(Array)
    members = value if value.is_a?(Hash) && has_hashes
    if members.nil? && [String, Symbol, Integer, Float, true, false].none? { |kind| kind === value }
      accepted = "texts, symbols, numbers, booleans, arrays#{" and hashes" if has_hashes}"
      raise ArgumentError, "#{path} is #{value.inspect}; accepted: #{accepted}."
    end
    members&.each { |name, one| check(one, [path, name].compact.join("."), has_hashes: has_hashes) }
  end

  # A simulated device.
  class Device
    attr_reader :pushcote, :name

    def initialize(pushcote, name)
      @pushcote = pushcote
      @name = name
    end

    # Registers an app for pushes, for production with environment: "production"; returns its device token.
    def register(topic, **members)
      pushcote.call("POST", "/devices/{name}/registrations", name, body: { topic: topic, **members })["token"]
    end

    # Pushes directly, without a provider; returns the notification's number. `query` has pushType and others.
    def push(topic, payload, **query)
      pushcote.call("POST", "/devices/{name}/push", name, body: payload, query: { topic: topic, **query })["id"]
    end

    # Waits for a notification after number `since` that matches, or for any, and returns it.
    # Existing notifications count. Raises VerificationError with the nearest misses after `within`.
    def wait(where = { device: name }, within: "5s", since: 0)
      pushcote.notification(verify(where, within: within, since: since)["matched"].first)
    end

    # Pushcote#verify for this device.
    def verify(*where, **expectation) = pushcote.verify(*where, **expectation, device: name)

    # The first 100 that the device received.
    def notifications(**filters) = pushcote.notifications(**filters, device: name)

    # Changes conditions: patch(isOnline: false); returns the device.
    def patch(**conditions) = pushcote.call("PATCH", "/devices/{name}", name, body: conditions)

    # Performs an act of a person or an app: act("tap", notification: 1); returns the events.
    def act(action, **members)
      pushcote.call("POST", "/devices/{name}/actions", name, body: { action: action, **members })
    end

    # What the person sees, as SVG; `query` has form and others.
    def picture(**query) = pushcote.call("GET", "/devices/{name}/screen.svg", name, query: query)
  end

  # The clock that the gateway and all its devices share.
  class Clock
    def initialize(pushcote)
      @pushcote = pushcote
    end

    # Stops the clock, at a given time with now: "2027-01-01T09:00:00Z".
    def stop(**members) = @pushcote.call("PUT", "/clock", body: { mode: "manual", **members })

    # Advances the stopped clock; everything due happens before this returns.
    def advance(by) = @pushcote.call("POST", "/clock/advance", body: { by: Pushcote.duration(by) })

    # Follows real time again.
    def reset = @pushcote.call("POST", "/clock/reset")
  end
end
