# frozen_string_literal: true

# What every helper can do, in Ruby. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway.

require "minitest/autorun" if Gem::Specification.any? { |gem| gem.name == "minitest" }
require "pushcote"

TOPIC = "com.example.app"

def order(number) = { aps: { alert: { title: "Order #{number}" }, badge: number } }

def equal(got, expected)
  raise "#{got.inspect}, expected #{expected.inspect}" unless got == expected
end

def fails(type, words)
  yield
rescue type => e
  raise "#{e.message} lacks #{words}" unless e.message.include?(words)

  e
else
  raise "no #{type}"
end

pushcote = Pushcote.connect

# A push is awaited, verified and explained.
phone = pushcote.device
token = phone.register(TOPIC)
number = phone.push(TOPIC, order(7))
notification = phone.wait("title=Order 7", within: 20)
equal notification.values_at("id", "token"), [number, token]
equal phone.verify({ badge: { ">" => 6 } }, count: 1)["matched"], [number]
equal pushcote.explain(notification).include?("Order 7"), true
equal phone.notifications(where: ["badge>6", "title"]).map { |one| one["id"] }, [number]
phone.act("tap", notification: number)
phone.verify("event=response", of: "events")
equal phone.picture.include?("<svg"), true
equal pushcote.ca.include?("BEGIN CERTIFICATE"), true
equal phone.wait["id"], number

# What a back end needs.
File.write("members.txt", [
  pushcote.provider, pushcote.host, pushcote.port, pushcote.authority_file, pushcote.key_file, pushcote.key_id,
  pushcote.team_id, pushcote.provider_token
].join("\n"))

# A failure has the nearest miss.
failure = fails(Pushcote::VerificationError, 'expected Order 8, got "Order 7"') { phone.wait("title=Order 8", within: 0.05) }
equal failure.verdict["outcome"], "tooFew"
equal failure.is_a?(Minitest::Assertion), true if defined?(Minitest::Assertion)
fails(Pushcote::VerificationError, "expected none") { phone.verify("title~Order", never: true) }
phone.push(TOPIC, order(8))
phone.verify(order: ["title=Order 7", "title=Order 8"])

# A failure among requests of every kind has a report.
equal pushcote.requests(device: "logged").length >= 6, true
fails(Pushcote::VerificationError, "reason: expected TopicDisallowed") do
  pushcote.verify("reason=TopicDisallowed", of: "requests")
end

# An error has the gateway's sentence.
unknown = fails(Pushcote::Error, "There is no device 'no/body'") { Pushcote::Device.new(pushcote, "no/body").verify("title") }
equal unknown.status, 404
fails(Pushcote::Error, "isOnline") { phone.patch(isOnlin: false) }
addresses = pushcote.call("GET", "/info")["addresses"]
{ "clearText" => "is not Pushcote's admin API", "provider" => "No answer from" }.each do |kind, words|
  fails(Pushcote::Error, words) { Pushcote.connect("http://#{addresses[kind][0]}").call("GET", "/info") }
end

# A fault ends with its block.
phone = pushcote.device
rule = { name: phone.name, match: { device: phone.name }, effect: { delay: "1s" } }
2.times do
  pushcote.fault(**rule) do |names|
    equal names, [phone.name]
    equal fails(Pushcote::Error, phone.name) { pushcote.fault(**rule) { raise "two rules" } }.status, 409
  end
end
equal pushcote.requests(device: phone.name), []

# The test's error hides that of the end.
stopped = lambda do |error|
  own = Pushcote.start
  own.fault(effect: { delay: "1s" }) { own.stop || error && raise(error) }
end
fails(KeyError, "own") { stopped.call(KeyError.new("own")) }
fails(Pushcote::Error, "No answer") { stopped.call(nil) }
pushcote.fault(**rule) { break }
equal pushcote.fault(**rule) { |names| names }, [phone.name]

# nil leaves out no condition.
phone.push(TOPIC, order(7))
{
  "where" => -> { phone.wait(nil) }, "where.title" => -> { phone.wait({ title: nil }) },
  "since" => -> { phone.wait("title", since: nil) }, "within" => -> { phone.wait("title", within: nil) },
  "where.1" => -> { phone.verify(["title", nil]) }, "count" => -> { phone.verify(count: nil) },
  "device" => -> { pushcote.verify("title", device: nil) },
  "text" => -> { phone.notifications(text: nil) }, "where.0" => -> { pushcote.requests(where: [nil]) },
  "match.device" => -> { pushcote.fault(match: { device: nil }, effect: { delay: "1s" }) { raise "no error" } }
}.each { |name, wrong| fails(ArgumentError, "#{name} is nil") { wrong.call } }
phone.verify

# A value that JSON would turn into a text is named.
{
  "where is #<Proc" => -> { phone.verify(-> { "title" }, never: true) },
  "where.title is /Order/" => -> { phone.verify({ title: /Order/ }, never: true) },
  "where.receivedAt.> is 2027" => -> { phone.verify({ receivedAt: { ">": Time.utc(2027) } }, never: true) },
  "text is /Order/" => -> { phone.notifications(text: /Order/) },
  "where is {:title=>1}" => -> { phone.notifications(where: { title: 1 }) },
  "a value of the path is {:isOnline=>false}" => -> { pushcote.device({ isOnline: false }) }
}.each { |words, wrong| fails(ArgumentError, words) { wrong.call } }
phone.verify({ state: :delivered }, within: 1r / 2)

# An address that is none is named.
["/", "/api/v1", "/api/v1/"].each { |slashes| equal Pushcote.connect(pushcote.address + slashes).address, pushcote.address }
["", "localhost:8197", "127.0.0.1:8197", "http://localhost:81a"].each do |wrong|
  fails(Pushcote::Error, "The admin address is \"#{wrong}\"; accepted: one such as http://") { Pushcote.connect(wrong) }
end
fails(Pushcote::Error, "No answer from https") { Pushcote.connect(pushcote.address.sub("http", "https"), "secret") }
["", "/json", "/torn"].each do |path|
  fails(Pushcote::Error, "is not Pushcote's admin API") { Pushcote.connect(ENV["OTHER"] + path) }
end
admin = ENV["PUSHCOTE_ADMIN"]
ENV["PUSHCOTE_ADMIN"] = ""
fails(Pushcote::Error, "http://localhost:8197") { Pushcote.connect }
ENV["PUSHCOTE_ADMIN"] = admin

# The clock advances.
own = Pushcote.start("admin.token=secret and more") do |pushcote|
  phone = pushcote.device("tablet", isOnline: false)
  fails(Pushcote::Error, "stop it first") { pushcote.clock.advance(1) }
  pushcote.clock.stop(now: "2030-01-01T09:00:00Z")
  equal pushcote.clock.advance("1h")["now"], "2030-01-01T10:00:00.000Z"
  phone.push(TOPIC, order(7))
  pushcote.verify("state=delivered", never: true, within: 0.5, clock: "simulated")
  phone.patch(isOnline: true)
  pushcote.verify("state=delivered")
  equal pushcote.clock.reset["mode"], "real"
  pushcote.reset
  equal pushcote.info["counts"]["devices"], 0
  pushcote
end
own.stop
fails(Pushcote::Error, "No answer from") { own.info }

# A gateway that does not start says why.
fails(Pushcote::Error, "did you mean auth.mode") { Pushcote.start("auth.mod=strict") }
ENV["PUSHCOTE"] = ENV["KILLED"]
fails(Pushcote::Error, "ended with status 9") { Pushcote.start { nil } }
fails(KeyError, "own") { Pushcote.start { raise KeyError, "own" } }
ENV["PUSHCOTE"] = "/no/such/program"
fails(Pushcote::Error, "Cannot run") { Pushcote.start }
puts "passed"
