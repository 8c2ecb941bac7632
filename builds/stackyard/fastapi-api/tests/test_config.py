from pathlib import Path

import pytest

from app.config import Settings, load_settings


def test_settings_have_a_default_for_everything() -> None:
    settings = Settings(_env_file=None)
    assert (settings.port, settings.cors_origins) == (8000, ())


def test_an_empty_value_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    assert Settings(_env_file=None).port == 8000


def test_env_file_is_read_and_the_environment_wins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("PORT=1\nLOG_LEVEL=debug\nOF_ANOTHER_PROGRAM=1\n")
    monkeypatch.setenv("PORT", "9000")
    settings = load_settings()
    assert (settings.port, settings.log_level) == (9000, "debug")


def test_origins_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example, http://localhost:5173")
    settings = Settings(_env_file=None)
    assert settings.cors_origins == ("https://app.example", "http://localhost:5173")


def test_every_bad_variable_is_named_and_no_value_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["PORT", "LOG_LEVEL", "MAX_BODY_BYTES", "CORS_ORIGINS"]
    for name in names:
        monkeypatch.setenv(name, "secret")
    with pytest.raises(SystemExit) as caught:
        load_settings()
    message = str(caught.value)
    assert all(f"{name}: " in message for name in names)
    assert "secret" not in message
