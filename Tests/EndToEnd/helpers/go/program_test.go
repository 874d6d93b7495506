// What every helper can do, in Go. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway.
package pushcote

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

const topic = "com.example.app"

func order(number int) Object {
	return Object{"aps": Object{"alert": Object{"title": fmt.Sprintf("Order %d", number)}, "badge": number}}
}

// must fails the test for an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// fails fails the test unless the error has the words.
func fails(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Fatalf("%v lacks %q", err, words)
	}
}

func equal(t *testing.T, got, expected any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(expected) {
		t.Fatalf("%v, expected %v", got, expected)
	}
}

func TestAPushIsAwaitedVerifiedAndExplained(t *testing.T) {
	gateway := ForTest(t)
	phone := must[*Device](t)(gateway.Device(""))
	token := must[string](t)(phone.Register(topic))
	number := must[int](t)(phone.Push(topic, order(7)))
	notification := must[Notification](t)(phone.Wait("title=Order 7", 20*time.Second))
	equal(t, notification.ID, number)
	equal(t, notification.Token, token)
	equal(t, *notification.Badge, 7)
	verdict := must[Verdict](t)(phone.Verify(Object{"where": Object{"badge": Object{">": 6}}, "count": 1}))
	equal(t, verdict.Matched, []int{number})
	if explanation := must[string](t)(gateway.Explain(number)); !strings.Contains(explanation, "Order 7") {
		t.Fatal(explanation)
	}
	filters := url.Values{"device": {phone.Name}, "where": {"badge>6", "title"}}
	equal(t, len(must[[]Notification](t)(gateway.Notifications(filters))), 1)
	must[Object](t)(phone.Act(Object{"action": "tap", "notification": number}))
	must[Verdict](t)(phone.Verify(Object{"of": "events", "where": "event=response"}))
	if ca := must[string](t)(gateway.CA()); !strings.Contains(ca, "BEGIN CERTIFICATE") {
		t.Fatal(ca)
	}
	members := strings.Join([]string{gateway.Provider, gateway.Host, gateway.Port, gateway.AuthorityFile, gateway.KeyFile,
		gateway.KeyID, gateway.TeamID, must[string](t)(gateway.ProviderToken())}, "\n")
	if err := os.WriteFile("members.txt", []byte(members), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFailureHasTheNearestMiss(t *testing.T) {
	phone := must[*Device](t)(ForTest(t).Device(""))
	must[int](t)(phone.Push(topic, order(7)))
	_, err := phone.Wait("title=Order 8", 50*time.Millisecond)
	fails(t, err, `expected Order 8, got "Order 7"`)
	var failure *VerificationError
	if !errors.As(err, &failure) || failure.Verdict.Outcome != "tooFew" {
		t.Fatalf("%#v", err)
	}
	_, err = phone.Verify(Object{"where": "title~Order", "never": true})
	fails(t, err, "expected none")
	must[int](t)(phone.Push(topic, order(8)))
	must[Verdict](t)(phone.Verify(Object{"order": []string{"title=Order 7", "title=Order 8"}}))
	must[Notification](t)(phone.Wait(nil, time.Second))
}

func TestAFailureAmongRequestsOfEveryKindHasAReport(t *testing.T) {
	gateway := ForTest(t)
	if requests := must[[]Object](t)(gateway.Requests(url.Values{"device": {"logged"}})); len(requests) < 6 {
		t.Fatal(requests)
	}
	_, err := gateway.Verify(Object{"of": "requests", "where": "reason=TopicDisallowed"})
	fails(t, err, "reason: expected TopicDisallowed")
}

func TestAnErrorHasTheGatewaysSentence(t *testing.T) {
	gateway := ForTest(t)
	_, err := gateway.Verify(Object{"where": "title", "device": "no/body"})
	fails(t, err, "There is no device")
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 404 {
		t.Fatalf("%#v", err)
	}
	phone := must[*Device](t)(gateway.Device(""))
	_, err = phone.Patch(Object{"isOnlin": false})
	fails(t, err, "isOnline")
	_, err = (&Device{gateway, "no/body"}).Verify(Object{"where": "title"})
	fails(t, err, "no/body")
	info := must[Object](t)(gateway.Info())
	other := info["addresses"].(map[string]any)["clearText"].([]any)[0]
	_, err = Call[Object](&Pushcote{Address: fmt.Sprint("http://", other)}, "GET", "/info", nil, nil)
	fails(t, err, "is not Pushcote's admin API")
}

func TestAFaultEndsWhenItIsRemoved(t *testing.T) {
	gateway := ForTest(t)
	phone := must[*Device](t)(gateway.Device(""))
	rule := Object{"name": phone.Name, "match": Object{"device": phone.Name}, "effect": Object{"delay": "1s"}}
	for round := 0; round < 2; round++ {
		remove := must[func()](t)(gateway.Fault(rule))
		_, err := gateway.Fault(rule)
		fails(t, err, phone.Name)
		remove()
	}
	equal(t, len(must[[]Object](t)(gateway.Requests(url.Values{"device": {phone.Name}}))), 0)
}

func TestTheClockAdvances(t *testing.T) {
	gateway := must[*Pushcote](t)(Start("admin.token=secret and more"))
	phone := must[*Device](t)(gateway.Device("tablet"))
	must[Object](t)(phone.Patch(Object{"isOnline": false}))
	_, err := gateway.AdvanceClock(time.Second)
	fails(t, err, "stop it first")
	equal(t, must[Object](t)(gateway.StopClock())["mode"], "manual")
	must[Object](t)(gateway.AdvanceClock(time.Hour))
	must[int](t)(phone.Push(topic, order(7)))
	never := Object{"where": "state=delivered", "never": true, "within": "500ms", "clock": "simulated"}
	must[Verdict](t)(gateway.Verify(never))
	must[Object](t)(phone.Patch(Object{"isOnline": true}))
	must[Verdict](t)(gateway.Verify(Object{"where": "state=delivered"}))
	equal(t, must[Object](t)(gateway.ResetClock())["mode"], "real")
	must[Object](t)(gateway.Reset())
	equal(t, must[Object](t)(gateway.Info())["counts"].(Object)["devices"], 0)
	for range []int{1, 2} {
		if err := gateway.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = gateway.Info()
	fails(t, err, "refused")
}

func TestAGatewayThatDoesNotStartSaysWhy(t *testing.T) {
	_, err := Start("auth.mod=strict")
	fails(t, err, "did you mean auth.mode")
	t.Setenv("PUSHCOTE", "/no/such/program")
	_, err = Start()
	fails(t, err, "set PUSHCOTE to the program")
}

func TestATestHasAGatewayOfItsOwn(t *testing.T) {
	t.Setenv("PUSHCOTE_ADMIN", "")
	var gateway *Pushcote
	t.Run("inner", func(t *testing.T) { gateway = ForTest(t, "seed=1") })
	_, err := gateway.Info()
	fails(t, err, "refused")
}

// recorder is a test that only remembers why it fails.
type recorder struct {
	testing.TB
	reason string
}

func (r *recorder) Fatal(reasons ...any) {
	r.reason = fmt.Sprint(reasons...)
	runtime.Goexit()
}

func TestSettingsDoNotApplyToARunningGateway(t *testing.T) {
	failing, end := &recorder{TB: t}, make(chan bool)
	go func() {
		defer close(end)
		ForTest(failing, "auth.mode=strict")
	}()
	<-end
	equal(t, failing.reason, "settings do not apply to the gateway at PUSHCOTE_ADMIN; pass them to `pushcote exec --set`")
}

func TestAValueThatJSONWouldChangeIsNamed(t *testing.T) {
	gateway := ForTest(t)
	phone := must[*Device](t)(gateway.Device(""))
	must[int](t)(phone.Push(topic, order(7)))
	var none *string
	title, text := regexp.MustCompile("Order"), "Order 7"
	for words, expectation := range map[string]Object{
		"where is a regexp.Regexp; accepted: texts":   {"where": title},
		"where.title is a func() string; accepted":    {"where": Object{"title": title.String}},
		"where.title is nil; give it a value":         {"where": Object{"title": none}},
		"where is nil; give it a value":               {"where": []string(nil)},
		"order.1 is a struct { Title string }":        {"order": []any{"title", struct{ Title string }{"Order 7"}}},
		"device is nil; give it a value, or leave it": {"of": "events", "device": nil},
	} {
		_, err := gateway.Verify(expectation)
		fails(t, err, words)
	}
	_, err := phone.Wait(title, 0)
	fails(t, err, "where is a regexp.Regexp")
	_, err = gateway.Fault(Object{"match": Object{"device": nil}, "effect": Object{"delay": "1s"}})
	fails(t, err, "match.device is nil")
	_, err = gateway.Notifications(url.Values{"device": nil})
	fails(t, err, "device is nil")
	must[Verdict](t)(phone.Verify(Object{"where": Object{"title": &text, "receivedAt": Object{">": time.Unix(0, 0)}}}))
}

func TestAnAddressThatIsNoneIsNamed(t *testing.T) {
	admin := ForTest(t).Address
	for _, slashes := range []string{"/", "/api/v1", "/api/v1/"} {
		equal(t, must[*Pushcote](t)(Connect(admin+slashes, "")).Address, admin)
	}
	for _, wrong := range []string{"localhost:8197", "127.0.0.1:8197", "http://localhost:81a"} {
		_, err := Connect(wrong, "")
		fails(t, err, fmt.Sprintf("the admin address is %q; accepted: one such as http://", wrong))
	}
	for _, path := range []string{"", "/json", "/torn"} {
		_, err := Connect(os.Getenv("OTHER")+path, "")
		fails(t, err, "is not Pushcote's admin API")
	}
}
