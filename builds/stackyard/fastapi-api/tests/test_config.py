import os
from pathlib import Path

import pytest

from app.config import ENV_FILE, Settings, load_settings, read_environment


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


def test_env_file_with_a_byte_order_mark_keeps_its_first_variable(
    tmp_path: Path,
) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=1\nLOG_LEVEL=debug\n", encoding="utf-8-sig")
    assert load_settings(file).port == 1
    assert list(read_environment(file))[:2] == ["PORT", "LOG_LEVEL"]


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
    with pytest.raises(SystemExit, match="entry 2 is no origin: use the form"):
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
def test_an_origin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CORS_ORIGINS", text)
    assert Settings().cors_origins == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "*",
        "https://*.app.example",
        "https://App.example",
        "https://user:secret@app.example",
        "app.example",
        "//app.example",
        "ftp://app.example",
        "null",
        "https:app.example",
        "https://app.example/",
        "https://app.example?page=1",
        "https://app.example#top",
        "https://app.example\\page",
        "https://",
        "https://:443",
        "https://app..example",
        "https://app.example.",
        "https://b\u00fccher.example",
        "https://app .example",
        "http://[::1",
        "http://::1",
        "https://app.example:443",
        "http://app.example:80",
        "https://app.example:",
        "https://app.example:0",
        "https://app.example:\u0664\u0664",
    ],
)
def test_what_no_browser_sends(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CORS_ORIGINS", text)
    with pytest.raises(ValueError, match="entry 1 is no origin"):
        Settings()
