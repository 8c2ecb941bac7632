import pytest

from app.origin import origin_problem


@pytest.mark.parametrize(
    "text",
    [
        "https://app.example",
        "http://localhost",
        "http://localhost:5173",
        "https://app.example:8443",
        "http://127.0.0.1:3000",
        "http://[::1]:3000",
        "https://xn--bcher-kva.example",
        "https://my_app.example",
        "https://app.example:80",
    ],
)
def test_an_origin(text: str) -> None:
    assert origin_problem(text) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("*", "wildcard"),
        ("https://*.app.example", "wildcard"),
        ("https://App.example", "lower case"),
        ("HTTPS://app.example", "lower case"),
        ("https://user:secret@app.example", "user"),
        ("app.example", "http://"),
        ("//app.example", "http://"),
        ("ftp://app.example", "http://"),
        ("null", "http://"),
        ("https:app.example", "http://"),
        ("https://app.example/", "path"),
        ("https://app.example/page", "path"),
        ("https://app.example?page=1", "path"),
        ("https://app.example#top", "path"),
        ("https://app.example\\page", "path"),
        ("https://", "host"),
        ("https://:443", "host"),
        ("https://app..example", "host"),
        ("https://app.example.", "host"),
        ("https://b\u00fccher.example", "host"),
        ("https://app .example", "host"),
        ("http://127.1", "host"),
        ("http://127.0.0.01", "host"),
        ("http://[::0001]", "host"),
        ("http://[::1", "host"),
        ("http://::1", "host"),
        ("https://app.example:443", "default port"),
        ("http://app.example:80", "default port"),
        ("https://app.example:", "valid port"),
        ("https://app.example:0", "valid port"),
        ("https://app.example:08443", "valid port"),
        ("https://app.example:65536", "valid port"),
        ("https://app.example:\u0664\u0664", "valid port"),
        ("https://app.example:https", "valid port"),
        ("https://app.example\n", "host"),
    ],
)
def test_what_no_browser_sends(text: str, problem: str) -> None:
    assert problem in (origin_problem(text) or "no problem")
