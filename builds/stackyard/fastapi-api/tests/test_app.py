import json
import logging
import re
from collections.abc import Iterator
from datetime import date

import pytest
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from starlette.middleware.base import RequestResponseEndpoint

from app.application import create_app
from app.config import Settings
from app.errors import ApiError
from app.log import JsonFormatter

ORIGIN = "https://app.example"
JSON = {"Content-Type": "application/json"}


def test_health(client: TestClient) -> None:
    response = client.get("/health")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response.headers["cache-control"] == "no-store"
    assert client.head("/health").status_code == 200


def test_docs_are_served_and_redoc_is_not(client: TestClient) -> None:
    docs = client.get("/docs")
    assert docs.headers["content-type"].startswith("text/html")
    # Nothing comes from another server: the page works without internet.
    loaded = re.findall(r'(?:src|href)="([^"]+)"', docs.text)
    assert len(loaded) == 3
    for path in loaded:
        assert path.startswith("/") and client.get(path).status_code == 200
    document = client.get("/openapi.json").json()
    assert "ErrorBody" in str(document["paths"]["/example"]["post"]["responses"])
    assert "HTTPValidationError" not in str(document)
    assert client.get("/redoc").status_code == 404


def test_docs_can_be_off() -> None:
    client = TestClient(create_app(Settings(docs=False)))
    for path in ["/docs", "/docs/oauth2-redirect", "/openapi.json"]:
        response = client.get(path)
        assert response.status_code == 404
        assert "content-security-policy" in response.headers


@pytest.mark.parametrize("prefix", ["", "/prefix"])
def test_only_the_docs_have_no_policy(app: FastAPI, prefix: str) -> None:
    client = TestClient(app, root_path=prefix)
    for path, expected in [("/docs", False), ("/docs/x", True), ("/docsx", True)]:
        headers = client.get(prefix + path).headers
        assert ("content-security-policy" in headers) is expected


def test_a_policy_of_the_docs_themselves_stays(app: FastAPI) -> None:
    @app.middleware("http")
    async def add_policy(
        request: Request, call_next: RequestResponseEndpoint
    ) -> Response:
        response = await call_next(request)
        response.headers["Content-Security-Policy"] = "default-src 'self'"
        return response

    client = TestClient(app)
    for path in ["/docs", "/health"]:
        headers = client.get(path).headers
        assert headers.get_list("content-security-policy") == ["default-src 'self'"]


def test_unknown_path(client: TestClient) -> None:
    response = client.get("/nowhere", headers={"X-Request-Id": "a.b:c-1"})
    assert response.status_code == 404
    assert response.headers["x-request-id"] == "a.b:c-1"
    assert response.json() == {
        "error": {
            "status": 404,
            "code": "not_found",
            "message": "Not Found",
            "requestId": "a.b:c-1",
        }
    }


def test_a_slash_at_the_end_is_another_path(client: TestClient) -> None:
    assert client.get("/example/").status_code == 404


def test_wrong_method(client: TestClient) -> None:
    for path, allow in [("/health", "GET, HEAD"), ("/example", "GET, POST")]:
        response = client.delete(path)
        assert (response.status_code, response.headers["allow"]) == (405, allow)
        assert response.json()["error"]["code"] == "method_not_allowed"


def test_malformed_json(client: TestClient) -> None:
    response = client.post("/example", content='{"name":', headers=JSON)
    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["code"], error["message"]) == ("invalid_json", "Invalid JSON body")


@pytest.mark.parametrize("content", [b'{"name":"\xff"}', b"[" * 100_000])
def test_a_body_that_cannot_be_read(client: TestClient, content: bytes) -> None:
    response = client.post("/example", content=content, headers=JSON)
    assert response.status_code == 400
    assert response.json()["error"]["status"] == 400


def test_failed_validation_shows_no_input(client: TestClient) -> None:
    response = client.post("/example", json={"name": "Lamp", "price": "secret"})
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "invalid_request"
    assert error["message"].startswith("Invalid request: price: ")
    assert [issue["path"] for issue in error["issues"]] == ["price"]
    assert "secret" not in response.text


@pytest.mark.parametrize("content", [b"[]", b'"text"', b"null"])
def test_a_body_of_the_wrong_type_has_the_path_body(
    client: TestClient, content: bytes
) -> None:
    for headers in [
        {"Content-Type": "application/json"},
        {"Content-Type": "text/plain"},
    ]:
        error = client.post("/example", content=content, headers=headers).json()[
            "error"
        ]
        assert [issue["path"] for issue in error["issues"]] == ["body"]
        assert error["message"].startswith("Invalid request: body: ")


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}])
def test_json_without_its_content_type(
    client: TestClient, headers: dict[str, str]
) -> None:
    response = client.post("/example", content='{"name":"a"}', headers=headers)
    assert response.status_code == 422
    assert "Content-Type: application/json" in response.json()["error"]["message"]


def test_nan_is_refused(client: TestClient) -> None:
    content = '{"name":"a","price":NaN}'
    assert client.post("/example", content=content, headers=JSON).status_code == 422


def test_the_issues_of_a_module_are_sent(app: FastAPI, client: TestClient) -> None:
    class OfAModule(HTTPException):
        code = "invalid_request"
        issues = (("email", "Email must be a string"),)

    @app.get("/refused")
    def refuse() -> None:
        raise OfAModule(400, "Invalid request")

    error = client.get("/refused").json()["error"]
    issues = [{"path": "email", "message": "Email must be a string"}]
    assert (error["code"], error["issues"]) == ("invalid_request", issues)


def test_errors_keep_code_and_headers(app: FastAPI, client: TestClient) -> None:
    @app.get("/taken")
    def taken() -> None:
        raise ApiError(409, "Taken", code="taken", headers={"Retry-After": "1"})

    @app.get("/teapot")
    def teapot() -> None:
        raise HTTPException(418)

    response = client.get("/taken")
    assert (response.status_code, response.headers["retry-after"]) == (409, "1")
    assert response.json()["error"]["code"] == "taken"
    assert client.get("/teapot").json()["error"]["message"] == "I'm a Teapot"


@pytest.mark.parametrize("detail", [{"left": 3, "at": date(2026, 1, 2)}, [1, 2], 0])
def test_details_that_are_no_text_are_sent(
    app: FastAPI, client: TestClient, detail: object
) -> None:
    @app.get("/limited")
    def limited() -> None:
        raise HTTPException(429, detail)

    response = client.get("/limited")
    assert response.status_code == 429
    error = response.json()["error"]
    assert (error["code"], error["message"]) == (
        "too_many_requests",
        "Too Many Requests",
    )
    assert error["details"] == jsonable_encoder(detail)


def test_details_that_json_cannot_hold_are_an_unexpected_error(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    @app.get("/limited")
    def limited() -> None:
        raise HTTPException(429, {"left": float("nan")})

    assert client.get("/limited").status_code == 500
    assert len([record for record in caplog.records if record.exc_info]) == 1


def test_an_unexpected_error_is_logged_once_and_shows_nothing(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    @app.get("/crash")
    def crash() -> None:
        raise RuntimeError("secret")

    response = client.get("/crash")
    assert response.status_code == 500
    error = response.json()["error"]
    assert (error["code"], error["message"]) == ("internal", "Internal Server Error")
    assert error["requestId"] == response.headers["x-request-id"]
    assert len([record for record in caplog.records if record.exc_info]) == 1


@pytest.mark.parametrize("prefix", ["", "/prefix"])
def test_requests_are_logged_but_for_probes(
    app: FastAPI, prefix: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="app.request_log")
    address = ("203.0.113.7", 50000)
    with TestClient(app, root_path=prefix, client=address) as client:
        for path in ["/example?page=1", "/nowhere%0Aforged", "/health", "/ready"]:
            client.get(prefix + path)
    found = [record for record in caplog.records if record.name == "app.request_log"]
    assert [(record.levelname, record.getMessage()) for record in found] == [
        ("INFO", f"GET {prefix}/example 200"),
        ("WARNING", f"GET {prefix}/nowhere%0Aforged 404"),
    ]
    fields: list[dict[str, object]] = [record.__dict__["fields"] for record in found]
    assert [(entry["url"], entry["remoteAddress"]) for entry in fields] == [
        (f"{prefix}/example", "203.0.113.7"),
        (f"{prefix}/nowhere%0Aforged", "203.0.113.7"),
    ]


def test_a_line_of_the_log_is_json(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("app.example").warning("two\nlines", extra={"fields": {"a": 1}})
    line = JsonFormatter().format(caplog.records[-1])
    entry = json.loads(line)
    assert "\n" not in line
    assert (entry["level"], entry["message"], entry["a"]) == (
        "warning",
        "two\nlines",
        1,
    )


@pytest.mark.parametrize("given", ["two words", "a" * 129, "ä"])
def test_a_strange_request_id_is_replaced(client: TestClient, given: str) -> None:
    headers = {b"X-Request-Id": given.encode()}
    response = client.get("/health", headers=headers)
    assert len(response.headers["x-request-id"]) == 36


def test_a_large_body_is_refused(client: TestClient) -> None:
    large = b'{"name":"' + b"a" * 200_000 + b'"}'
    bodies: list[bytes | Iterator[bytes]] = [large, iter([large])]
    for content in bodies:
        response = client.post("/example", content=content, headers=JSON)
        assert response.status_code == 413
        assert response.json()["error"]["code"] == "payload_too_large"


def test_security_headers(client: TestClient) -> None:
    for path in ["/health", "/nowhere"]:
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")


def test_a_policy_of_a_feature_stays(app: FastAPI, client: TestClient) -> None:
    @app.get("/page")
    def page(response: Response) -> None:
        response.headers["X-Frame-Options"] = "DENY"

    assert client.get("/page").headers.get_list("x-frame-options") == ["DENY"]


def test_cors_is_off_by_default(client: TestClient) -> None:
    response = client.get("/health", headers={"Origin": ORIGIN})
    assert "access-control-allow-origin" not in response.headers


def test_cors_admits_the_origins_that_are_set_on_errors_too() -> None:
    app = create_app(Settings(cors_origins=(ORIGIN,)))

    @app.get("/crash")
    def crash() -> None:
        raise RuntimeError

    client = TestClient(app)
    method = {"Access-Control-Request-Method": "POST"}
    preflight = client.options("/example", headers={"Origin": ORIGIN, **method})
    assert preflight.status_code == 200
    failed = client.get("/crash", headers={"Origin": ORIGIN})
    assert failed.status_code == 500
    assert failed.headers["access-control-allow-origin"] == ORIGIN
    assert "Origin" in failed.headers["vary"]
    assert "X-Request-Id" in failed.headers["access-control-expose-headers"]
    other = client.get("/health", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize(
    ("origin", "method", "message"),
    [
        ("https://other.example", "POST", "Disallowed CORS origin"),
        (ORIGIN, "BREW", "Disallowed CORS method"),
    ],
)
def test_a_refused_preflight_has_the_error_body(
    origin: str, method: str, message: str
) -> None:
    client = TestClient(create_app(Settings(cors_origins=(ORIGIN,))))
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    response = client.options("/example", headers=headers)
    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["code"], error["message"]) == ("cors_refused", message)
    assert error["requestId"] == response.headers["x-request-id"]
    allowed = response.headers.get("access-control-allow-origin")
    assert allowed == (ORIGIN if origin == ORIGIN else None)
