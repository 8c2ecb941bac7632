"""The application that a server runs, `app.main:app`: reads the settings and turns logging on.

Importing this file has side effects. Tests use `app.application`.
"""

from app.application import create_app
from app.config import load_settings, read_environment
from app.log import configure_logging
from app.modules import modules

settings = load_settings(modules=modules)
configure_logging(settings.log_level)
app = create_app(settings, env=read_environment())
