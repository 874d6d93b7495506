"""`pushcote exec`: runs a command with its own gateway."""

import concurrent.futures
import os
import signal
import socket
import subprocess
import sys

import pytest

from gateway import BINARY, CRASH, environment, pushcote


def execute(certificates, tmp_path, *command, options=(), **arguments):
    settings = [word for one in (f"certificates.folder={certificates}", *options) for word in ("--set", one)]
    return pushcote("exec", *settings, "--", *command, cwd=tmp_path, **arguments)


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_exec_returns_the_exit_code(certificates, tmp_path, code):
    assert execute(certificates, tmp_path, "sh", "-c", f"exit {code}").returncode == code


def test_exec_returns_the_signal(certificates, tmp_path):
    assert execute(certificates, tmp_path, "sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_exec_fails_with_its_command_where_children_are_ignored(certificates, tmp_path):
    done = subprocess.run(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", "sh", "-c", "exit 3"], cwd=tmp_path,
        env=environment(), timeout=60, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert done.returncode == 3


def test_exec_reports_a_missing_command(certificates, tmp_path):
    done = execute(certificates, tmp_path, "no-such-command-here")
    assert done.returncode == 127 and "no-such-command-here" in done.stderr


def test_exec_sets_the_environment_of_the_command(certificates, tmp_path):
    script = r'''
set -e
test "$PUSHCOTE_RUN_PROVIDER" = "$PUSHCOTE_RUN_PROVIDER_HOST:$PUSHCOTE_RUN_PROVIDER_PORT"
test -s "$PUSHCOTE_RUN_CA" -a -s "$PUSHCOTE_RUN_CA_BUNDLE" -a -s "$PUSHCOTE_RUN_KEY"
test -n "$PUSHCOTE_RUN_CLEAR_TEXT" -a -n "$PUSHCOTE_RUN_PROXY" -a "$OWN" = mine
token=$("$BINARY" token --key "$PUSHCOTE_RUN_KEY" --key-id "$PUSHCOTE_RUN_KEY_ID" --team-id "$PUSHCOTE_RUN_TEAM_ID")
curl -sS -f --http2 --noproxy '*' --cacert "$PUSHCOTE_RUN_CA" -H "authorization: bearer $token" -H "apns-topic: com.example.app" \
  -d '{"aps":{"alert":"hello"}}' "https://$PUSHCOTE_RUN_PROVIDER/3/device/abcd"
"$BINARY" wait --timeout 10s
cat
'''
    done = subprocess.run(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", "sh", "-c", script],
        cwd=tmp_path, env=environment(BINARY=BINARY, OWN="mine"), input="standard input", capture_output=True,
        text=True, timeout=40)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not CRASH.search(done.stderr), done.stderr
    assert "hello" in done.stdout and done.stdout.endswith("standard input")


def test_exec_keeps_its_log_apart(certificates, tmp_path):
    script = 'curl -s --noproxy "*" "http://$PUSHCOTE_RUN_CLEAR_TEXT/3/device/abcd" -d "{}"; echo; echo own >&2'
    quiet = execute(certificates, tmp_path, "sh", "-c", script)
    assert (quiet.stdout, quiet.stderr) == ('{"reason":"MissingProviderToken"}\n', "own\n")
    loud = execute(certificates, tmp_path, "sh", "-c", script, options=["log.level=info"])
    assert "MissingProviderToken" in loud.stderr


def test_exec_stops_its_gateway(certificates, tmp_path):
    done = execute(certificates, tmp_path, "sh", "-c", "echo $PUSHCOTE_RUN_PROVIDER")
    host, port = done.stdout.strip().splitlines()[-1].split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), 5).close()


def test_concurrent_execs_are_independent(certificates, tmp_path):
    # All commands run concurrently: none exits before each has reported that it is running.
    started, gate = tmp_path / "started", tmp_path / "gate"
    os.mkfifo(started)
    os.mkfifo(gate)
    starts, gates = os.open(started, os.O_RDWR), os.open(gate, os.O_RDWR)
    script = f'echo "$PUSHCOTE_ADMIN"; echo > {started}; read line < {gate}'
    try:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(execute, certificates, tmp_path, "sh", "-c", script) for _ in range(4)]
            for _ in runs:
                assert os.read(starts, 1) == b"\n"
            os.write(gates, b"\n" * 4)
            outputs = [run.result(50) for run in runs]
    finally:
        os.close(starts)
        os.close(gates)
    assert [one.returncode for one in outputs] == [0] * 4
    assert len({one.stdout for one in outputs}) == 4


def test_exec_passes_sigterm_to_the_command(certificates, tmp_path):
    # Not a shell's `trap` with `read`: a signal between the two waits until the end of the input.
    script = (
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM]); print('started', flush=True); "
        "print('ended' if signal.sigtimedwait([signal.SIGTERM], 10) else 'no signal'); raise SystemExit(3)")
    process = subprocess.Popen(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", sys.executable, "-c", script],
        cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    try:
        while process.stdout.readline() != "started\n":
            assert process.poll() is None, process.stderr.read()
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert output == "ended\n", (output, errors)
    assert not CRASH.search(errors), errors
    assert process.returncode == 3


def test_exec_does_not_change_the_commands_signals(certificates, tmp_path):
    """A server ignores SIGPIPE, but a pipeline such as `yes | head` relies on it."""
    done = execute(certificates, tmp_path, "sh", "-c", "grep SigIgn /proc/self/status")
    ignored = int(done.stdout.split()[-1], 16)
    assert not ignored & 1 << signal.SIGPIPE - 1


def test_exec_with_a_bad_configuration_runs_nothing(certificates, tmp_path):
    done = execute(certificates, tmp_path, "touch", "ran", options=["auth.mode=strickt"])
    assert done.returncode == 2 and not (tmp_path / "ran").exists()
