//! Pushcote in Rust tests: simulated devices, pushes, waits and assertions. Copy this file into your project's `tests`.
//!
//! ```ignore
//! let gateway = pushcote::Pushcote::start(&[])?; // stops when it is dropped
//! let phone = gateway.device("")?;
//! let token = phone.register("com.example.app")?; // your back end pushes to the token
//! phone.wait(&["title~Order"], Duration::from_secs(5))?; // an error is the report with the nearest misses
//! ```
//!
//! It needs Rust 1.63 and no crate. Conditions are those of Pushcote's docs/queries.md; bodies are JSON as text, with
//! the members of docs/admin-api.md.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::{collections::hash_map::RandomState, hash::{BuildHasher, Hasher}};
use std::{env, fmt, mem, net::TcpStream, thread, time::Duration};

// Ends with its standard input: the gateway stops even if this process is killed.
const UNTIL_STOPPED: &str = r#"printf "%s %s\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null"#;

pub type Result<T> = std::result::Result<T, Error>;
/// Why the gateway rejects a call, in its own words, or the report of a failed verification.
pub struct Error {
    pub message: String,
    /// HTTP's; 0 without an answer.
    pub status: u16,
    /// The answer of `POST /verify`.
    pub verdict: Option<Json>,
}

impl std::error::Error for Error {}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(&self.message) }
}

/// As people read it: `unwrap` and tests that return an error show it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.write_str(&self.message) }
}

fn error(message: String) -> Error { Error { message, status: 0, verdict: None } }

/// A gateway: an existing one (`connect`), or one started for the test (`start`).
pub struct Pushcote {
    /// Of the admin API: `127.0.0.1:8197`.
    pub address: String,
    token: String,
    process: Option<(Child, thread::JoinHandle<String>)>,
}

impl Pushcote {
    /// Uses the gateway at an admin address such as `http://localhost:8197`. The defaults for "" are PUSHCOTE_ADMIN and
    /// PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
    pub fn connect(address: &str, token: &str) -> Result<Pushcote> {
        let given = |value: &str, name| env::var(name).ok().filter(|_| value.is_empty()).unwrap_or(value.into());
        let (address, token) = (given(address, "PUSHCOTE_ADMIN"), given(token, "PUSHCOTE_ADMIN_TOKEN"));
        if address.starts_with("https://") {
            return Err(error(format!("The admin address is {address}, but this helper has no TLS; use http://.")));
        }
        let address = host(if address.is_empty() { "localhost:8197" } else { &address });
        let pushcote = Pushcote { address, token, process: None };
        let info = pushcote.info()?;
        if info.get("addresses").0 != "null" { Ok(pushcote) } else { Err(pushcote.foreign(0, &info)) }
    }

    /// Starts a gateway on free ports, with settings such as `auth.mode=strict`. The program is PUSHCOTE in the
    /// environment, else `pushcote` in PATH.
    pub fn start(settings: &[&str]) -> Result<Pushcote> {
        let program = env::var("PUSHCOTE").unwrap_or_else(|_| "pushcote".into());
        let mut command = Command::new(&program);
        command.arg("exec").args(settings.iter().flat_map(|setting| ["--set", setting]));
        command.args(["--", "sh", "-c", UNTIL_STOPPED]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
            .map_err(|reason| error(format!("Cannot run {program}: {reason}. Set PUSHCOTE to the program.")))?;
        let (out, mut errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let log = thread::spawn(move || { let mut log = String::new(); let _ = errors.read_to_string(&mut log); log });
        let mut line = String::new();
        let _ = BufReader::new(out).read_line(&mut line);
        let (address, token) = line.trim_end_matches('\n').split_once(' ').unwrap_or_default();
        let mut pushcote = Pushcote { address: host(address), token: token.into(), process: Some((child, log)) };
        if !address.is_empty() { return Ok(pushcote) }
        Err(pushcote.stop().err().unwrap_or(error("The gateway has no admin address.".into())))
    }

    /// Stops a gateway that `start` started; an error has its log. Dropping it does the same.
    pub fn stop(&mut self) -> Result<()> {
        let (mut child, log) = match self.process.take() { Some(process) => process, None => return Ok(()) };
        drop(child.stdin.take());
        if child.wait().map_or(false, |status| status.success()) { return Ok(()) }
        Err(error(format!("The gateway failed:\n{}", log.join().unwrap_or_default())))
    }

    /// Addresses, key and counts of the gateway.
    pub fn info(&self) -> Result<Json> { self.call("GET", "/info", &[], "", &[]) }
    /// The certificate authority that your back end must trust, as PEM.
    pub fn ca(&self) -> Result<String> { Ok(self.call("GET", "/ca.pem", &[], "", &[])?.0) }
    /// The provider API for your back end: `https://localhost:PORT`.
    pub fn provider(&self) -> Result<String> { Ok(format!("https://{}:{}", self.host(), self.port()?)) }
    /// The provider API's host: `localhost` on this machine, which the certificate names.
    pub fn host(&self) -> String {
        let name = self.address.rsplit_once(':').map_or(&*self.address, |(name, _)| name);
        if name.starts_with("127.") || name == "[::1]" { "localhost".into() } else { name.into() }
    }
    /// The provider API's port.
    pub fn port(&self) -> Result<u16> {
        let address = self.info()?.get("addresses").get("provider").list().first().map(Json::text).unwrap_or_default();
        let port = address.rsplit(':').next().and_then(|port| port.parse().ok());
        port.ok_or_else(|| error("The gateway has no provider address.".into()))
    }
    /// The file of `ca`, on the gateway's machine.
    pub fn authority_file(&self) -> Result<String> { self.file("PUSHCOTE_RUN_CA", "certificate", "caFile") }
    /// The file of the key that the gateway accepts (`.p8`), on the gateway's machine.
    pub fn key_file(&self) -> Result<String> { self.file("PUSHCOTE_RUN_KEY", "demonstrationKey", "file") }
    /// The key's identifier, as Apple's developer account shows it.
    pub fn key_id(&self) -> Result<String> { Ok(self.info()?.get("demonstrationKey").get("keyId").text()) }
    /// The team's identifier.
    pub fn team_id(&self) -> Result<String> { Ok(self.info()?.get("demonstrationKey").get("teamId").text()) }
    fn file(&self, variable: &str, part: &str, name: &str) -> Result<String> {
        // `pushcote exec` may have been started in another folder than the test.
        let is_of_exec = env::var("PUSHCOTE_ADMIN").map_or(false, |admin| host(&admin) == self.address);
        let named = env::var(variable).ok().filter(|file| is_of_exec && !file.is_empty());
        let file = match named { Some(file) => file, None => self.info()?.get(part).get(name).text() };
        let folder = env::current_dir().map_err(|reason| error(reason.to_string()))?;
        Ok(folder.join(file).to_string_lossy().into())
    }
    /// A provider token for the header `authorization: bearer …`, which the gateway signs now with its key.
    pub fn provider_token(&self) -> Result<String> {
        Ok(self.call("POST", "/provider-tokens", &[], "{}", &[])?.get("token").text())
    }

    /// Makes a device, with a unique name for "".
    pub fn device(&self, name: &str) -> Result<Device<'_>> {
        let unique = format!("device-{:x}", RandomState::new().build_hasher().finish());
        let name = if name.is_empty() { unique } else { name.into() };
        self.call("PUT", "/devices/{name}", &[&name], "{}", &[])?;
        Ok(Device { pushcote: self, name })
    }

    /// Asserts that the right notifications, requests or events arrived: `{"where": "title~Order", "within": "5s"}`.
    /// The error has the nearest misses, and the `verdict`.
    pub fn verify(&self, expectation: &str) -> Result<Json> {
        let verdict = self.call("POST", "/verify", &[], expectation, &[])?;
        if verdict.get("verified").0 == "true" { return Ok(verdict) }
        Err(Error { message: verdict.get("report").text(), status: 406, verdict: Some(verdict) })
    }

    /// The first 100 that devices received: `&[("device", "phone"), ("where", "badge>2")]`.
    pub fn notifications(&self, filters: &[(&str, &str)]) -> Result<Vec<Json>> {
        Ok(self.call("GET", "/notifications", &[], "", filters)?.get("notifications").list())
    }

    /// The first 100 requests of providers, with their answers: `&[("reason", "BadDeviceToken")]`.
    pub fn requests(&self, filters: &[(&str, &str)]) -> Result<Vec<Json>> {
        Ok(self.call("GET", "/requests", &[], "", filters)?.get("requests").list())
    }

    /// Why the device showed a notification as it did, in sentences.
    pub fn explain(&self, id: &str) -> Result<String> {
        Ok(self.call("GET", "/notifications/{id}/explanation", &[id], "", &[])?.0)
    }

    /// Makes the gateway fail until the result is dropped, with a rule or `{"scenario": "outage"}`.
    pub fn fault(&self, rule: &str) -> Result<Fault<'_>> {
        let added = self.call("POST", "/faults", &[], rule, &[])?;
        let names = added.get("faults").list().iter().map(|fault| fault.get("name").text()).collect();
        Ok(Fault { pushcote: self, names })
    }

    /// Removes devices, apps, requests and faults except those to keep.
    pub fn reset(&self, keep: &[&str]) -> Result<Json> {
        self.call("POST", "/reset", &[], &format!(r#"{{"keep":{}}}"#, texts(keep)), &[])
    }

    /// Stops the clock that the gateway and all its devices share.
    pub fn stop_clock(&self) -> Result<Json> { self.call("PUT", "/clock", &[], r#"{"mode":"manual"}"#, &[]) }
    /// Advances the stopped clock; everything due happens before it returns.
    pub fn advance_clock(&self, by: Duration) -> Result<Json> {
        self.call("POST", "/clock/advance", &[], &format!(r#"{{"by":"{}ms"}}"#, by.as_millis()), &[])
    }
    /// Follows real time again.
    pub fn reset_clock(&self) -> Result<Json> { self.call("POST", "/clock/reset", &[], "{}", &[]) }

    /// A call of the admin API: a path of openapi.yaml below /api/v1, the values for its braces, a body and a query.
    pub fn call(
        &self, method: &str, path: &str, values: &[&str], body: &str, query: &[(&str, &str)],
    ) -> Result<Json> {
        let (mut values, mut target) = (values.iter(), "/api/v1".to_string());
        for part in path.split('/').skip(1) {
            let is_value = part.starts_with('{');
            target += &format!("/{}", if is_value { escaped(values.next().unwrap_or(&"")) } else { part.into() });
        }
        target += "?";
        for (name, value) in query { target += &format!("{}={}&", escaped(name), escaped(value)) }
        let (status, answer) = self.exchange(method, target.trim_end_matches(['?', '&']), body)
            .map_err(|reason| error(format!("No answer from {}: {reason}", self.address)))?;
        if status < 400 || status == 406 { return Ok(answer) }
        let message = answer.get("error").text();
        Err(if message == "null" { self.foreign(status, &answer) } else { Error { message, status, verdict: None } })
    }

    fn foreign(&self, status: u16, answer: &Json) -> Error {
        let beginning: String = answer.0.chars().take(200).collect();
        Error { status, ..error(format!("{} is not Pushcote's admin API: {beginning}", self.address)) }
    }

    fn exchange(&self, method: &str, target: &str, body: &str) -> std::io::Result<(u16, Json)> {
        let (mut stream, mut answer) = (TcpStream::connect(&self.address)?, String::new());
        stream.set_read_timeout(Some(Duration::from_secs(630)))?; // The gateway answers a wait within 600 seconds.
        // The answer to HTTP/1.0 ends with its connection.
        let mut head = format!("{method} {target} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if !self.token.is_empty() { head += &format!("Authorization: Bearer {}\r\n", self.token) }
        head += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + body).as_bytes())?;
        stream.read_to_string(&mut answer)?;
        let (head, content) = answer.split_once("\r\n\r\n").unwrap_or_default();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Ok((status.ok_or(std::io::ErrorKind::InvalidData)?, Json(content.into())))
    }
}

impl Drop for Pushcote { fn drop(&mut self) { let _ = self.stop(); } }

/// A simulated device.
pub struct Device<'a> {
    pub pushcote: &'a Pushcote,
    pub name: String,
}

impl Device<'_> {
    fn call(&self, method: &str, path: &str, body: &str, query: &[(&str, &str)]) -> Result<Json> {
        self.pushcote.call(method, path, &[&self.name], body, query)
    }

    /// Registers an app for pushes; returns its device token.
    pub fn register(&self, topic: &str) -> Result<String> {
        let body = format!(r#"{{"topic":{}}}"#, quoted(topic));
        Ok(self.call("POST", "/devices/{name}/registrations", &body, &[])?.get("token").text())
    }

    /// Pushes directly, without a provider; returns the notification's number.
    pub fn push(&self, topic: &str, payload: &str) -> Result<String> {
        Ok(self.call("POST", "/devices/{name}/push", payload, &[("topic", topic)])?.get("id").0)
    }

    /// Waits for a notification that meets all conditions, or for any, and returns it. Existing notifications count.
    /// The error has the nearest misses.
    pub fn wait(&self, conditions: &[&str], within: Duration) -> Result<Json> {
        let (conditions, within) = (texts(conditions), within.as_millis());
        let verdict = self.verify(&format!(r#"{{"where":{conditions},"within":"{within}ms"}}"#))?;
        self.pushcote.call("GET", "/notifications/{id}", &[&verdict.get("matched").list()[0].0], "", &[])
    }

    /// `Pushcote::verify` for this device.
    pub fn verify(&self, expectation: &str) -> Result<Json> {
        let members = expectation.trim_end().strip_suffix('}').unwrap_or(expectation);
        let comma = if members.trim() == "{" { "" } else { "," };
        self.pushcote.verify(&format!(r#"{members}{comma}"device":{}}}"#, quoted(&self.name)))
    }

    /// Changes conditions: `{"isOnline": false}`.
    pub fn patch(&self, conditions: &str) -> Result<Json> { self.call("PATCH", "/devices/{name}", conditions, &[]) }
    /// Performs an act of a person or an app: `{"action": "tap", "notification": 1}`; returns the events.
    pub fn act(&self, act: &str) -> Result<Json> { self.call("POST", "/devices/{name}/actions", act, &[]) }
}

/// Fault rules that end when this is dropped.
pub struct Fault<'a> {
    pushcote: &'a Pushcote,
    pub names: Vec<String>,
}

impl Drop for Fault<'_> {
    fn drop(&mut self) {
        for name in &self.names { let _ = self.pushcote.call("DELETE", "/faults/{name}", &[name], "", &[]); }
    }
}

/// An answer, or a part of it, as JSON for a crate such as serde_json: `notification.get("title").text()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Json(pub String);

impl Json {
    /// A member; `null` if there is none.
    pub fn get(&self, name: &str) -> Json {
        let members = self.parts('{');
        let found = members.chunks(2).find(|member| member[0].text() == name);
        found.map_or(Json("null".into()), |member| member[1].clone())
    }
    /// The elements of a list.
    pub fn list(&self) -> Vec<Json> { self.parts('[') }
    /// What is between commas and colons.
    fn parts(&self, start: char) -> Vec<Json> {
        if !self.0.starts_with(start) { return vec![] }
        let (mut parts, mut part, mut depth, mut is_text, mut is_escaped) = (vec![], String::new(), 0, false, false);
        for character in self.0.chars() {
            is_text ^= character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            depth -= i32::from(!is_text && "}]".contains(character));
            let is_end = !is_text && (depth == 0 || depth == 1 && ",:".contains(character));
            if is_end && !part.trim().is_empty() { parts.push(Json(mem::take(&mut part).trim().into())) }
            if depth > 0 && !is_end { part.push(character) }
            depth += i32::from(!is_text && "{[".contains(character));
        }
        parts
    }

    /// A text without its quotation marks and escapes; another value as it is.
    pub fn text(&self) -> String {
        let inner = match self.0.strip_prefix('"') { Some(inner) => inner, None => return self.0.clone() };
        let (mut units, mut characters) = (vec![], inner.strip_suffix('"').unwrap_or(inner).chars());
        while let Some(character) = characters.next() {
            if character != '\\' {
                units.extend(character.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
            let escape = characters.next().unwrap_or(character);
            let digits: String = characters.by_ref().take(if escape == 'u' { 4 } else { 0 }).collect();
            let other = "b\u{8}f\u{c}n\nr\rt\t".split_once(escape).and_then(|found| found.1.chars().next());
            let unit = other.map_or(escape as u16, |control| control as u16);
            units.push(u16::from_str_radix(&digits, 16).unwrap_or(unit)); // Two of UTF-16 may be one character.
        }
        String::from_utf16_lossy(&units)
    }
}

/// A text as JSON, for bodies.
pub fn quoted(text: &str) -> String {
    let characters = text.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        control if (control as u32) < 32 => format!("\\u{:04x}", control as u32),
        other => other.to_string(),
    });
    format!("\"{}\"", characters.collect::<String>())
}

fn texts(texts: &[&str]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","))
}

fn escaped(text: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    text.bytes().map(|byte| if is_plain(&byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn host(address: &str) -> String {
    let address = address.trim_start_matches("http://").trim_end_matches('/');
    address.trim_end_matches("/api/v1").trim_end_matches('/').into()
}
