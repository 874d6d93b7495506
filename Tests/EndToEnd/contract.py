"""Validates every admin API answer against the OpenAPI description that the gateway serves."""

import json
import re

import httpx
import yaml
from jsonschema_rs import Draft202012Validator

_contracts = {}


def of(text):
    """The parsed contract of a description, cached: all gateways of one build serve the same text."""
    if text not in _contracts:
        _contracts[text] = Contract(text)
    return _contracts[text]


class Contract:
    def __init__(self, text):
        self.document = yaml.load(text, Loader=yaml.CSafeLoader)
        self.error = self.document["components"]["schemas"]["Error"]
        self.paths = [
            (re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), self.resolve(item))
            for path, item in self.document["paths"].items()]
        self.validators = {}

    def resolve(self, node):
        """Resolves a `$ref`."""
        while "$ref" in node:
            target = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def check(self, answer):
        """Fails if the description does not allow the answer; an httpx response hook."""
        answer.read()
        request = answer.request
        place = f"{request.method} {request.url.raw_path.decode()}: {answer.status_code}"
        media = answer.headers.get("content-type", "").partition(";")[0]
        content = self.content(request, answer.status_code, place)
        if request.method == "HEAD" or answer.status_code == 304:
            assert not answer.content, place
            return
        known = [kind for kind in content if re.fullmatch(re.escape(kind).replace(r"\*", ".*"), media)]
        assert known, f"{place} is {media!r}, described are {list(content)}"
        if media == "application/json":
            self.validate(content[known[0]].get("schema", {}), answer.content, place)

    def content(self, request, status, place):
        """The schemas allowed for an answer, by media type."""
        path = request.url.raw_path.decode().partition("?")[0]
        items = [item for pattern, item in self.paths if pattern.fullmatch(path)]
        method = "get" if request.method == "HEAD" else request.method.lower()
        operations = [item[method] for item in items if method in item]
        if not operations:
            # An unknown path answers 404, an unknown method 405; authentication (401, 403) is checked before both.
            assert status in ((405, 401, 403) if items else (404, 401, 403)), f"{place}: nothing is described there"
            return {"application/json": {"schema": self.error}}
        responses = operations[0]["responses"]
        assert str(status) in responses, f"{place} is not described; there are {sorted(responses)}"
        return self.resolve(responses[str(status)]).get("content", {})

    def validate(self, schema, body, place):
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            # References are resolved from the document's root.
            whole = {**schema, "components": self.document["components"]}
            self.validators[key] = Draft202012Validator(whole, validate_formats=True)
        problems = list(self.validators[key].iter_errors(json.loads(body)))
        assert not problems, "\n".join(
            [f"{place} is not as described:"]
            + ["/".join(map(str, one.instance_path)) + ": " + one.message[:500] for one in problems])


def client(base_url, token=None):
    """An admin API client that validates every answer against the description."""
    headers = {"authorization": f"Bearer {token}"} if token else {}

    def check(answer):
        if not contracts:
            found = httpx.get(base_url + "/openapi.yaml", headers=headers, timeout=30, trust_env=False, verify=False)
            contracts.append(of(found.raise_for_status().text))
        contracts[0].check(answer)

    contracts = []
    # Without the system's authorities, which take 20 ms to read.
    return httpx.Client(base_url=base_url, timeout=30, trust_env=False, verify=False, event_hooks={"response": [check]})
