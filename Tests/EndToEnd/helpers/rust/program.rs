//! What every helper can do, in Rust. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway.
mod pushcote;

use pushcote::{quoted, Error, Json, Pushcote, Result};
use std::time::Duration;

const TOPIC: &str = "com.example.app";

fn order(number: i32) -> String { format!(r#"{{"aps":{{"alert":{{"title":"Order {number}"}},"badge":{number}}}}}"#) }

fn running() -> Pushcote { Pushcote::connect("", "").unwrap() }

/// Fails the test unless the call fails with the words.
fn fails<T>(result: Result<T>, words: &str) -> Error {
    let error = result.err().expect("it did not fail");
    assert!(error.to_string().contains(words), "{error} lacks {words}");
    error
}

#[test]
fn a_push_is_awaited_verified_and_explained() -> Result<()> {
    let gateway = running();
    let phone = gateway.device("")?;
    let token = phone.register(TOPIC)?;
    let number = phone.push(TOPIC, &order(7))?;
    let notification = phone.wait(&["title=Order 7"], Duration::from_secs(20))?;
    assert_eq!(notification.get("id").text(), number);
    assert_eq!(notification.get("token").text(), token);
    assert_eq!(notification.get("badge").text().parse(), Ok(7));
    let verdict = phone.verify(r#"{"where":{"badge":{">":6}},"count":1}"#)?;
    assert_eq!(verdict.get("matched").list(), [Json(number.clone())]);
    assert!(gateway.explain(&number)?.contains("Order 7"));
    let filters = [("device", phone.name.as_str()), ("where", "badge>6"), ("where", "title")];
    assert_eq!(gateway.notifications(&filters)?.len(), 1);
    phone.act(&format!(r#"{{"action":"tap","notification":{number}}}"#))?;
    phone.verify(r#"{"of":"events","where":"event=response"}"#)?;
    assert!(gateway.ca()?.contains("BEGIN CERTIFICATE"));
    let members = [
        gateway.provider()?, gateway.host(), gateway.port()?.to_string(), gateway.authority_file()?, gateway.key_file()?,
        gateway.key_id()?, gateway.team_id()?, gateway.provider_token()?,
    ];
    std::fs::write("members.txt", members.join("\n")).unwrap();
    Ok(())
}

#[test]
fn a_failure_has_the_nearest_miss() -> Result<()> {
    let gateway = running();
    let phone = gateway.device("")?;
    phone.push(TOPIC, &order(7))?;
    let missed = r#"expected Order 8, got "Order 7""#;
    let error = fails(phone.wait(&["title=Order 8"], Duration::from_millis(50)), missed);
    assert!(format!("{error:?}").contains(missed));
    assert_eq!(error.verdict.unwrap().get("outcome").text(), "tooFew");
    fails(phone.verify(r#"{"where":"title~Order","never":true}"#), "expected none");
    phone.push(TOPIC, &order(8))?;
    phone.verify(r#"{"order":["title=Order 7","title=Order 8"]}"#)?;
    phone.wait(&[], Duration::from_secs(1))?;
    // The device is always the one that verifies.
    phone.verify("{}")?;
    let other = phone.verify(r#" {"device":"no/body","where":"title=Order 8"} "#);
    fails(other, "'device' occurs more than once");
    Ok(())
}

#[test]
fn texts_are_read_as_they_were_sent() -> Result<()> {
    let gateway = running();
    let phone = gateway.device("")?;
    let title = "\"Tee\" \\ 日本 🫖\n\u{1}";
    phone.push(TOPIC, &format!(r#"{{"aps":{{"alert":{}}},"empty":[[],{{}}, -1.5e1]}}"#, quoted(title)))?;
    let notification = phone.wait(&["body~Tee"], Duration::from_secs(5))?;
    assert_eq!(notification.get("body").text(), title);
    let payload = notification.get("request").get("payload");
    assert_eq!(payload.get("empty").list().iter().map(Json::text).collect::<Vec<_>>(), ["[]", "{}", "-1.5e1"]);
    assert_eq!((payload.get("nothing").get("at all").text(), payload.get("aps").list()), ("null".into(), vec![]));
    let json = Json(r#" {"a,:\"" : [1 ,{"b":"]}"}, "\ud83e\uded6\u00e9\b\/"], "c":2}"#.trim().into());
    let list = json.get("a,:\"").list();
    assert_eq!((list[0].text(), list[1].get("b").text()), ("1".into(), "]}".into()));
    assert_eq!((list[2].text(), json.get("c").text()), ("🫖é\u{8}/".into(), "2".into()));
    Ok(())
}

#[test]
fn a_failure_among_requests_of_every_kind_has_a_report() -> Result<()> {
    let gateway = running();
    assert!(gateway.requests(&[("device", "logged")])?.len() >= 6);
    let expectation = r#"{"of":"requests","where":"reason=TopicDisallowed"}"#;
    fails(gateway.verify(expectation), "reason: expected TopicDisallowed");
    Ok(())
}

#[test]
fn an_error_has_the_gateways_sentence() -> Result<()> {
    let gateway = running();
    let error = fails(gateway.verify(r#"{"where":"title","device":"no/body"}"#), "There is no device");
    assert_eq!(error.status, 404);
    let phone = gateway.device("")?;
    assert_eq!(fails(phone.patch(r#"{"isOnlin":false}"#), "isOnline").status, 400);
    let info = gateway.call("GET", "/info", &[], "", &[])?;
    let other = info.get("addresses").get("clearText").list()[0].text();
    let answer = Pushcote::connect(&other, "").and_then(|other| other.call("GET", "/info", &[], "", &[]));
    fails(answer, "is not Pushcote's admin API");
    Ok(())
}

#[test]
fn an_address_that_is_none_is_named() -> Result<()> {
    let gateway = running();
    for slashes in ["/", "/api/v1", "/api/v1/"] {
        assert_eq!(Pushcote::connect(&format!("http://{}{slashes}", gateway.address), "")?.address, gateway.address);
    }
    let fails_at = |address: &str, words| fails(Pushcote::connect(address, "").map(|_| ()), words);
    fails_at(&format!("https://{}", gateway.address), "but this helper has no TLS; use http://");
    fails_at(&std::env::var("OTHER").unwrap(), "is not Pushcote's admin API: <title>Shop");
    Ok(())
}

#[test]
fn a_fault_ends_when_it_is_dropped() -> Result<()> {
    let gateway = running();
    let phone = gateway.device("")?;
    let name = quoted(&phone.name);
    let rule = format!(r#"{{"name":{name},"match":{{"device":{name}}},"effect":{{"delay":"1s"}}}}"#);
    for _ in 0..2 {
        let fault = gateway.fault(&rule)?;
        assert_eq!(fault.names, [phone.name.as_str()]);
        fails(gateway.fault(&rule).map(|_| ()), &phone.name);
    }
    assert!(gateway.requests(&[("device", &phone.name)])?.is_empty());
    Ok(())
}

#[test]
fn the_clock_advances() -> Result<()> {
    let mut gateway = Pushcote::start(&["admin.token=secret and more"])?;
    let phone = gateway.device("tablet")?;
    phone.patch(r#"{"isOnline":false}"#)?;
    fails(gateway.advance_clock(Duration::from_secs(1)), "stop it first");
    assert_eq!(gateway.stop_clock()?.get("mode").text(), "manual");
    gateway.advance_clock(Duration::from_secs(3600))?;
    phone.push(TOPIC, &order(7))?;
    gateway.verify(r#"{"where":"state=delivered","never":true,"within":"500ms","clock":"simulated"}"#)?;
    phone.patch(r#"{"isOnline":true}"#)?;
    gateway.verify(r#"{"where":"state=delivered"}"#)?;
    assert_eq!(gateway.reset_clock()?.get("mode").text(), "real");
    gateway.reset(&["apps"])?;
    assert_eq!(gateway.info()?.get("counts").get("devices").text(), "0");
    gateway.stop()?;
    gateway.stop()?;
    fails(gateway.info(), "refused");
    Ok(())
}

#[test]
fn a_gateway_that_does_not_start_says_why() {
    fails(Pushcote::start(&["auth.mod=strict"]).map(|_| ()), "did you mean auth.mode");
}
