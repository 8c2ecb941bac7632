import os
from pathlib import Path

import pytest

from app.config import ENV_FILE, Settings, load_settings, origin_problem


def test_settings_have_a_default_for_everything() -> None:
    settings = Settings()
    assert (settings.port, settings.docs, settings.cors_origins) == (8000, True, ())


def test_an_empty_value_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    assert Settings().port == 8000


def test_env_file_is_read_and_the_environment_has_priority(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=1\nLOG_LEVEL=debug\nOF_ANOTHER_PROGRAM=1\n")
    monkeypatch.setenv("PORT", "9000")
    settings = load_settings(file)
    assert (settings.port, settings.log_level) == (9000, "debug")


def test_env_file_is_in_the_root_of_the_project(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("PORT=1\n")
    monkeypatch.chdir(tmp_path)
    assert ENV_FILE.is_absolute()
    assert (ENV_FILE.parent / "pyproject.toml").is_file()
    assert Settings().port == 8000


@pytest.mark.parametrize("value", ["INFO", "Info", "info"])
def test_the_case_of_log_level_is_ignored(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("LOG_LEVEL", value)
    assert Settings().log_level == "info"


@pytest.mark.parametrize(
    ("value", "docs"), [("off", False), ("on", True), ("0", False)]
)
def test_docs_is_a_switch(
    monkeypatch: pytest.MonkeyPatch, value: str, docs: bool
) -> None:
    monkeypatch.setenv("DOCS", value)
    assert Settings().docs is docs


def test_origins_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example, http://localhost:5173,")
    settings = Settings()
    assert settings.cors_origins == ("https://app.example", "http://localhost:5173")


def test_every_bad_variable_is_named_and_no_value_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ["PORT", "LOG_LEVEL", "DOCS", "MAX_BODY_BYTES", "CORS_ORIGINS"]
    for name in names:
        monkeypatch.setenv(name, "secret")
    with pytest.raises(SystemExit) as caught:
        load_settings(Path(os.devnull))
    message = str(caught.value)
    assert all(f"{name}: " in message for name in names)
    assert "secret" not in message


def test_a_bad_origin_is_named_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example,https://app.example/")
    with pytest.raises(SystemExit, match="entry 2 has a path; expected an origin such"):
        load_settings(Path(os.devnull))


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
