// Package pushcote has simulated devices, pushes, waits and assertions for Go tests. Copy this file into your project.
//
//	gateway := pushcote.ForTest(t)
//	phone, _ := gateway.Device("")
//	token, _ := phone.Register("com.example.app") // your back end pushes to the token
//	if _, err := phone.Wait("title~Order", 5*time.Second); err != nil {
//		t.Fatal(err) // the gateway's report with the nearest misses
//	}
//
// It needs Go 1.18 and nothing else. Conditions are those of Pushcote's docs/queries.md; objects have the members of
// docs/admin-api.md.
package pushcote

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Object is a JSON object: a payload, a fault rule, conditions.
type Object = map[string]any

// Ends with its standard input: the gateway stops even if this process is killed.
const untilStopped = `printf "%s %s\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null`

var addressForm = regexp.MustCompile(`^https?://([^/:\s]+|\[[^\]\s]+\])(:\d+)?(/\S*)?$`)

// Error says why the gateway rejects a call, in its own words. Status is 0 without an answer.
type Error struct {
	Message string `json:"error"`
	Status  int
}

func (e *Error) Error() string { return e.Message }

// VerificationError is a failed verification; its text is the gateway's report with the nearest misses.
type VerificationError struct{ Verdict }

func (e *VerificationError) Error() string { return e.Report }

// Verdict is the answer of POST /verify.
type Verdict struct {
	Verified        bool
	Matched         []int
	Outcome, Report string
}

// Notification is what a device received; Call[Object] reads its other members.
type Notification struct {
	ID                                          int
	Identifier, Device, Topic, Token, APNsID    string
	State, Timing, Level, Title, Subtitle, Body string
	Badge                                       *int
}

// Pushcote is a gateway: an existing one (Connect), or one started for the test (Start).
type Pushcote struct {
	Address, Token string
	// Provider is the provider API for your back end, https://localhost:PORT; Host and Port are its parts.
	Provider, Host, Port string
	// AuthorityFile is the file of CA, KeyFile that of the key that the gateway accepts (.p8), on the gateway's machine.
	AuthorityFile, KeyFile, KeyID, TeamID string

	process *exec.Cmd
	stdin   io.Closer
	log     bytes.Buffer
}

// Connect uses the gateway at an admin address such as http://localhost:8197. The defaults for "" are PUSHCOTE_ADMIN
// and PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
func Connect(address, token string) (*Pushcote, error) {
	address = or(address, or(os.Getenv("PUSHCOTE_ADMIN"), "http://localhost:8197"))
	address = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(address, "/"), "/api/v1"), "/")
	p := &Pushcote{Address: address, Token: or(token, os.Getenv("PUSHCOTE_ADMIN_TOKEN"))}
	return p, p.locate()
}

// Start starts a gateway on free ports, with settings such as "auth.mode=strict". The program is PUSHCOTE in the
// environment, else pushcote in PATH.
func Start(settings ...string) (*Pushcote, error) {
	arguments := []string{"exec"}
	for _, setting := range settings {
		arguments = append(arguments, "--set", setting)
	}
	command := exec.Command(or(os.Getenv("PUSHCOTE"), "pushcote"), append(arguments, "--", "sh", "-c", untilStopped)...)
	p := &Pushcote{process: command}
	command.Stderr = &p.log
	p.stdin, _ = command.StdinPipe() // These two fail only for streams that are set already.
	stdout, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("cannot run %s: %w; set PUSHCOTE to the program", command.Path, err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	p.Address, p.Token, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	if p.Address == "" {
		return nil, fmt.Errorf("the gateway did not start: %w", p.Stop())
	}
	return p, p.locate()
}

// locate reads what a back end needs.
func (p *Pushcote) locate() error {
	info, err := Call[struct {
		Addresses        *struct{ Provider []string }
		Certificate      struct{ CAFile string }
		DemonstrationKey struct{ KeyID, TeamID, File string }
	}](p, "GET", "/info", nil, nil)
	if err != nil {
		return err
	}
	if info.Addresses == nil {
		return p.foreign(0, []byte("an answer without addresses"))
	}
	if address, err := url.Parse(p.Address); err == nil {
		p.Host = address.Hostname()
	}
	if p.Host == "::1" || strings.HasPrefix(p.Host, "127.") {
		p.Host = "localhost" // The certificate names it.
	}
	if address := strings.Join(info.Addresses.Provider, " "); address != "" {
		p.Port = address[strings.LastIndex(address, ":")+1:]
	}
	p.Provider = "https://" + p.Host + ":" + p.Port
	p.AuthorityFile, p.KeyFile = info.Certificate.CAFile, info.DemonstrationKey.File
	if p.Address == os.Getenv("PUSHCOTE_ADMIN") {
		// `pushcote exec` may have been started in another folder than the test.
		p.AuthorityFile = or(os.Getenv("PUSHCOTE_RUN_CA"), p.AuthorityFile)
		p.KeyFile = or(os.Getenv("PUSHCOTE_RUN_KEY"), p.KeyFile)
	}
	p.AuthorityFile, _ = filepath.Abs(p.AuthorityFile) // These two fail only without a working folder.
	p.KeyFile, _ = filepath.Abs(p.KeyFile)
	p.KeyID, p.TeamID = info.DemonstrationKey.KeyID, info.DemonstrationKey.TeamID
	return nil
}

// ProviderToken is for the header "authorization: bearer …"; the gateway signs it now with its key.
func (p *Pushcote) ProviderToken() (string, error) {
	made, err := Call[struct{ Token string }](p, "POST", "/provider-tokens", struct{}{}, nil)
	return made.Token, err
}

// ForTest connects to PUSHCOTE_ADMIN if it is set; otherwise it starts a gateway that stops with the test.
func ForTest(t testing.TB, settings ...string) *Pushcote {
	start := Start
	if os.Getenv("PUSHCOTE_ADMIN") != "" {
		if len(settings) > 0 {
			t.Fatal("settings do not apply to the gateway at PUSHCOTE_ADMIN; pass them to `pushcote exec --set`")
		}
		start = func(...string) (*Pushcote, error) { return Connect("", "") }
	}
	p, err := start(settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	return p
}

// Stop stops a gateway that Start started; its error has the log.
func (p *Pushcote) Stop() error {
	process := p.process
	if p.process = nil; process == nil {
		return nil
	}
	p.stdin.Close()
	if err := process.Wait(); err != nil {
		return fmt.Errorf("the gateway ended with %w:\n%s", err, &p.log)
	}
	return nil
}

// Info has addresses, key and counts of the gateway, as in GET /info.
func (p *Pushcote) Info() (Object, error) { return Call[Object](p, "GET", "/info", nil, nil) }

// CA is the certificate authority that your back end must trust, as PEM.
func (p *Pushcote) CA() (string, error) { return Call[string](p, "GET", "/ca.pem", nil, nil) }

// Verify asserts that the right records arrived: Object{"where": "title~Order", "within": "5s"}.
// Its error is a *VerificationError with the nearest misses.
func (p *Pushcote) Verify(expectation Object) (Verdict, error) {
	if err := check("", expectation); err != nil {
		return Verdict{}, err
	}
	verdict, err := Call[Verdict](p, "POST", "/verify", expectation, nil)
	if err == nil && !verdict.Verified {
		err = &VerificationError{verdict}
	}
	return verdict, err
}

// Notifications are the first 100 that devices received: url.Values{"where": {"badge>2"}, "limit": {"1000"}}.
func (p *Pushcote) Notifications(filters url.Values) ([]Notification, error) {
	page, err := Call[struct{ Notifications []Notification }](p, "GET", "/notifications", nil, filters)
	return page.Notifications, err
}

// Explain says in sentences why the device showed a notification as it did.
func (p *Pushcote) Explain(id int) (string, error) {
	return Call[string](p, "GET", "/notifications/{id}/explanation", nil, nil, id)
}

// Requests are the first 100 requests of providers, with their answers: url.Values{"reason": {"BadDeviceToken"}}.
func (p *Pushcote) Requests(filters url.Values) ([]Object, error) {
	page, err := Call[struct{ Requests []Object }](p, "GET", "/requests", nil, filters)
	return page.Requests, err
}

// Fault makes the gateway fail, with a rule or Object{"scenario": "outage"}, until remove is called (t.Cleanup).
func (p *Pushcote) Fault(rule Object) (remove func(), err error) {
	if err := check("", rule); err != nil {
		return func() {}, err
	}
	added, err := Call[struct{ Faults []struct{ Name string } }](p, "POST", "/faults", rule, nil)
	return func() {
		for _, fault := range added.Faults {
			_, _ = Call[Object](p, "DELETE", "/faults/{name}", nil, nil, fault.Name)
		}
	}, err
}

// Reset removes devices, apps, requests and faults except those to keep.
func (p *Pushcote) Reset(keep ...string) (Object, error) {
	return Call[Object](p, "POST", "/reset", Object{"keep": append([]string{}, keep...)}, nil)
}

// StopClock stops the clock that the gateway and all its devices share.
func (p *Pushcote) StopClock() (Object, error) {
	return Call[Object](p, "PUT", "/clock", Object{"mode": "manual"}, nil)
}

// AdvanceClock advances the stopped clock; everything due happens before it returns.
func (p *Pushcote) AdvanceClock(by time.Duration) (Object, error) {
	return Call[Object](p, "POST", "/clock/advance", Object{"by": milliseconds(by)}, nil)
}

// ResetClock follows real time again.
func (p *Pushcote) ResetClock() (Object, error) {
	return Call[Object](p, "POST", "/clock/reset", Object{}, nil)
}

// Device is a simulated device.
type Device struct {
	Pushcote *Pushcote
	Name     string
}

// Device makes a device, with a unique name for "".
func (p *Pushcote) Device(name string) (*Device, error) {
	random := make([]byte, 6)
	_, _ = rand.Read(random)
	name = or(name, fmt.Sprintf("device-%x", random))
	_, err := Call[Object](p, "PUT", "/devices/{name}", Object{}, nil, name)
	return &Device{p, name}, err
}

// Register registers an app for pushes and returns its device token.
func (d *Device) Register(topic string) (string, error) {
	body := Object{"topic": topic}
	made, err := Call[struct{ Token string }](d.Pushcote, "POST", "/devices/{name}/registrations", body, nil, d.Name)
	return made.Token, err
}

// Push pushes directly, without a provider, and returns the notification's number.
func (d *Device) Push(topic string, payload Object) (int, error) {
	query := url.Values{"topic": {topic}}
	made, err := Call[struct{ ID int }](d.Pushcote, "POST", "/devices/{name}/push", payload, query, d.Name)
	return made.ID, err
}

// Wait waits for a notification that matches, or for any if where is nil. Existing notifications count.
// Its error is a *VerificationError with the nearest misses after within.
func (d *Device) Wait(where any, within time.Duration) (notification Notification, err error) {
	if where == nil {
		where = Object{"device": d.Name}
	}
	verdict, err := d.Verify(Object{"where": where, "within": milliseconds(within)})
	if err == nil {
		notification, err = Call[Notification](d.Pushcote, "GET", "/notifications/{id}", nil, nil, verdict.Matched[0])
	}
	return
}

// Verify is Pushcote.Verify for this device.
func (d *Device) Verify(expectation Object) (Verdict, error) {
	body := Object{"device": d.Name}
	for name, value := range expectation {
		body[name] = value
	}
	return d.Pushcote.Verify(body)
}

// Patch changes conditions: Object{"isOnline": false}.
func (d *Device) Patch(conditions Object) (Object, error) {
	return Call[Object](d.Pushcote, "PATCH", "/devices/{name}", conditions, nil, d.Name)
}

// Act performs an act of a person or an app: Object{"action": "tap", "notification": 1}. It returns the events.
func (d *Device) Act(act Object) (Object, error) {
	return Call[Object](d.Pushcote, "POST", "/devices/{name}/actions", act, nil, d.Name)
}

// Call calls the admin API: a path of openapi.yaml below /api/v1 and the values for its braces. Its error is an *Error
// if the gateway rejects the call.
func Call[T any](p *Pushcote, method, path string, body any, query url.Values, values ...any) (result T, err error) {
	if !addressForm.MatchString(p.Address) {
		return result, fmt.Errorf("the admin address is %q; accepted: one such as http://localhost:8197", p.Address)
	}
	if err = check("", query); err != nil {
		return
	}
	for _, value := range values {
		before, rest, _ := strings.Cut(path, "{")
		path = before + url.PathEscape(fmt.Sprint(value)) + rest[strings.Index(rest, "}")+1:]
	}
	data, err := json.Marshal(body)
	if err != nil {
		return
	}
	request, err := http.NewRequest(method, p.Address+"/api/v1"+path+"?"+query.Encode(), bytes.NewReader(data))
	if err != nil {
		return
	}
	if p.Token != "" {
		request.Header.Set("Authorization", "Bearer "+p.Token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	text, isText := any(&result).(*string)
	switch {
	case err != nil:
		err = fmt.Errorf("no answer from %s: %w", p.Address, err)
	case answer.StatusCode >= 400 && answer.StatusCode != http.StatusNotAcceptable:
		foreign := p.foreign(answer.StatusCode, content)
		_ = json.Unmarshal(content, foreign)
		err = foreign
	case isText:
		*text = string(content)
	case json.Unmarshal(content, &result) != nil:
		err = p.foreign(answer.StatusCode, content)
	}
	return
}

func (p *Pushcote) foreign(status int, content []byte) *Error {
	return &Error{Message: fmt.Sprintf("%s is not Pushcote's admin API: %.200s", p.Address, content), Status: status}
}

// check refuses what JSON would turn into an empty object or null: a condition without it would match more.
func check(path string, given any) error {
	value := reflect.Indirect(reflect.ValueOf(given))
	members := map[string]any{}
	_, isMarshaler := given.(json.Marshaler) // A time.Time, for example.
	switch kind := value.Kind(); {
	case kind == reflect.Invalid || kind == reflect.Slice && value.IsNil():
		return fmt.Errorf("%s is nil; give it a value, or leave it out", path)
	case kind == reflect.Map:
		for _, name := range value.MapKeys() {
			members[fmt.Sprint(name)] = value.MapIndex(name).Interface()
		}
	case kind == reflect.Slice || kind == reflect.Array:
		for index := 0; index < value.Len(); index++ {
			members[fmt.Sprint(index)] = value.Index(index).Interface()
		}
	case kind != reflect.String && kind > reflect.Float64 && !isMarshaler:
		return fmt.Errorf("%s is a %s; accepted: texts, numbers, booleans, times, slices and maps", path, value.Type())
	}
	for name, member := range members {
		if err := check(strings.TrimPrefix(path+"."+name, "."), member); err != nil {
			return err
		}
	}
	return nil
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
