"""The files for Kubernetes and compose: every member exists, what refers to another part finds it, settings are settings."""

import re
import subprocess

import pytest
import yaml
from kubernetes import client as kubernetes

from gateway import ROOT, pushcote

FOLDER = ROOT / "docker/kubernetes"
PAIR = FOLDER / "postgres"
KINDS = {
    "deployment.yaml": "V1Deployment", "service.yaml": "V1Service",
    "postgres/disruption-budget.yaml": "V1PodDisruptionBudget", "postgres/deployment.yaml": "V1Deployment"}


def read(path):
    return yaml.safe_load(path.read_text())


def merged(base, patch):
    """A strategic merge as Kustomize makes it: lists of objects by their name or path, null removes a member."""
    if isinstance(base, dict) and isinstance(patch, dict):
        both = {name: merged(base.get(name), value) for name, value in patch.items()}
        return {name: value for name, value in (base | both).items() if value is not None}
    if isinstance(base, list) and isinstance(patch, list):
        key = next((key for key in ("mountPath", "name") if base and key in base[0]), None)
        if key is None:
            return patch
        changed = {each[key]: each for each in patch}
        return [merged(each, changed.pop(each[key], {})) for each in base] + list(changed.values())
    return patch


def manifest(name):
    """A manifest as the cluster gets it."""
    found = read(FOLDER / name)
    return merged(read(FOLDER / "deployment.yaml"), found) if name == "postgres/deployment.yaml" else found


def check(value, kind, place):
    """Reads a value as the Kubernetes API does, strictly: unknown members, wrong types and missing members fail."""
    if match := re.fullmatch(r"[Ll]ist\[(.*)\]", kind):
        assert isinstance(value, list), place
        return [check(each, match[1], f"{place}[{number}]") for number, each in enumerate(value)]
    if match := re.fullmatch(r"[Dd]ict[(\[]str, (.*)[)\]]", kind):
        assert isinstance(value, dict), place
        return {name: check(each, match[1], f"{place}.{name}") for name, each in value.items()}
    model = getattr(kubernetes, kind, None)
    if model is None:
        # An `object` is a number or a string, such as the port of a probe.
        types = {"str": str, "bool": bool, "int": int, "object": (int, str)}
        assert isinstance(value, types[kind]) and (kind == "bool") == isinstance(value, bool), f"{place}: {value!r}"
        return value
    assert isinstance(value, dict), place
    names = {name: attribute for attribute, name in model.attribute_map.items()}
    assert set(value) <= set(names), f"{place}: {set(value) - set(names)}"
    return model(**{
        names[name]: check(each, model.openapi_types[names[name]], f"{place}.{name}") for name, each in value.items()})


@pytest.mark.parametrize("name, kind", KINDS.items())
def test_a_manifest_has_only_members_of_its_kind(name, kind):
    read_as = check(manifest(name), kind, name)
    assert kind == "V1" + read_as.kind
    assert read_as.api_version == {"V1Deployment": "apps/v1", "V1Service": "v1"}.get(kind, "policy/v1")


def deployment(folder):
    spec = manifest("deployment.yaml" if folder == FOLDER else "postgres/deployment.yaml")["spec"]
    [container] = spec["template"]["spec"]["containers"]
    return spec, spec["template"]["spec"], container


@pytest.mark.parametrize("folder", [FOLDER, PAIR], ids=["memory", "postgres"])
def test_the_manifests_refer_to_each_other(folder):
    spec, pod, container = deployment(folder)
    labels = spec["template"]["metadata"]["labels"]
    service = read(FOLDER / "service.yaml")["spec"]
    budget = read(PAIR / "disruption-budget.yaml")["spec"]
    assert labels == spec["selector"]["matchLabels"] == service["selector"] == budget["selector"]["matchLabels"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert {port["targetPort"] for port in service["ports"]} == set(ports)
    assert set(ports.values()) == {2195, 2196, 2197, 2198, 2199, 8197}
    assert {container[f"{probe}Probe"]["httpGet"]["port"] for probe in ("startup", "liveness", "readiness")} == {"admin"}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == set(volumes)
    # One volume, one source.
    assert all(len(volume) == 2 for volume in volumes.values())
    assert pod["enableServiceLinks"] is False
    kustomization = read(folder / "kustomization.yaml")
    assert all((folder / name).exists() for name in kustomization["resources"])
    assert {volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume} == {
        secret["name"] for secret in kustomization.get("secretGenerator", [])}
    [named] = read(FOLDER / "kustomization.yaml")["images"]
    assert named["name"] == container["image"]


def test_a_rollout_can_wait_for_one_gateway():
    """`kubectl rollout status` ends when the pod is ready; no second pod has other state."""
    spec, _, container = deployment(FOLDER)
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"


def test_one_ready_pod_makes_the_deployment_available():
    """As docs/docker.md says of `kubectl wait`; the pod beyond the replicas is the new standby during an update."""
    spec, _, container = deployment(PAIR)
    limits = spec["strategy"]["rollingUpdate"]
    assert spec["replicas"] - limits["maxUnavailable"] == 1 and limits["maxSurge"] >= 1
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz?of=owner"
    assert read(PAIR / "disruption-budget.yaml")["spec"]["minAvailable"] == 1


def test_the_secret_has_every_file_that_a_gateway_reads_at_its_place(tmp_path):
    made = pushcote("exec", "--set", f"certificates.folder={tmp_path}", "--", "true")
    assert made.returncode == 0, made.stderr
    secrets = {secret["name"]: secret["files"] for secret in read(PAIR / "kustomization.yaml")["secretGenerator"]}
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    # No gateway needs the intermediate's key until server.pem expires.
    expected = sorted(made - {".gitignore", "private/intermediate.key"})
    assert secrets["pushcote-certificates"] == [f"certs/{path}" for path in expected]
    [volume] = [one for one in deployment(PAIR)[1]["volumes"] if one["name"] == "certificates"]
    assert {item["path"]: item["key"] for item in volume["secret"]["items"]} == {
        path: path.rpartition("/")[2] for path in expected}


def image(service):
    """What a service runs, to find the gateways among them."""
    build = service.get("build")
    return service.get("image") or (build.get("dockerfile") if isinstance(build, dict) else build)


@pytest.mark.parametrize("path", sorted((ROOT / "docker").glob("compose*.yaml")), ids=lambda path: path.name)
def test_only_gateways_have_the_private_keys(path):
    services = read(path)["services"]
    volumes = {
        name: dict(volume.split(":")[:2] for volume in service.get("volumes", [])) for name, service in services.items()}
    gateways = {name for name, service in services.items() if image(service) in ("pushcote", "docker/Dockerfile")}
    for name in gateways:
        targets = {target: source for source, target in volumes[name].items()}
        keys = targets.get("/certs/private", targets.get("/certs"))
        assert not {other for other in set(services) - gateways if keys in volumes[other]}, name
    assert gateways or path.name == "compose.extension.yaml"


def settings():
    """The environment variables of all settings."""
    lines = pushcote("config", "--json")
    names = re.findall(r'"([a-z]\w*(?:\.\w+)+|journal)"', lines.stdout)
    return {"PUSHCOTE_" + re.sub(r"([A-Z])", r"_\1", name.replace(".", "_")).upper() for name in names}


# The compose specification's members that these files use; what is not in here is a mistake, or is to be added.
SERVICE = {
    "build", "cap_drop", "command", "configs", "depends_on", "environment", "healthcheck", "image", "networks", "ports",
    "read_only", "restart", "security_opt", "tmpfs", "user", "volumes"}
HEALTH = {"test", "interval", "timeout", "retries", "start_period", "start_interval"}
COMPOSE = sorted((ROOT / "docker").glob("compose*.yaml"))


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_a_compose_file_is_valid(path):
    document = read(path)
    top = {name for name in document if not name.startswith("x-")}
    assert {"services"} <= top <= {"name", "services", "volumes", "configs"}
    for name, service in document["services"].items():
        assert set(service) <= SERVICE, name
        # compose.extension.yaml adds to the services of compose.yaml.
        whole = read(ROOT / "docker/compose.yaml")["services"].get(name, {}) | service if "." in path.stem else service
        assert "image" in whole or "build" in whole, name
        assert set(service.get("healthcheck", {})) <= HEALTH, name
        if context := service.get("build"):
            folder = (path.parent / (context["context"] if isinstance(context, dict) else context)).resolve()
            file = context.get("dockerfile", "Dockerfile") if isinstance(context, dict) else "Dockerfile"
            assert (folder / file).is_file(), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in document.get("volumes", {}) or (path.parent / source).exists(), f"{name}: {volume}"
        for config in service.get("configs", []):
            assert config["source"] in document["configs"], name
        for other, condition in (service.get("depends_on") or {}).items():
            assert other in document["services"], f"{name}: {other}"
            assert condition["condition"] in {"service_healthy", "service_completed_successfully"}, name
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name}: the admin API has no token"


def test_the_settings_exist():
    services = read(ROOT / "docker/compose.standby.yaml")["services"]
    used = {name for service in services.values() for name in service.get("environment", {}) if "PUSHCOTE" in name}
    used |= {variable["name"] for variable in deployment(PAIR)[2]["env"]} - {"POD_IP"}
    assert len(used) >= 5
    known = settings()
    if not any(name.startswith("PUSHCOTE_POSTGRES_") for name in known):
        pytest.skip("this build has no journal: postgres")
    assert used <= known


def test_scripts_in_compose_files_are_valid():
    for path in COMPOSE:
        for name, service in read(path)["services"].items():
            if isinstance(service.get("command"), list) and service["command"][0] == "sh":
                script = service["command"][-1].replace("$$", "$")
                subprocess.run(["sh", "-n"], input=script, text=True, check=True)
