import os, sys
from . import mod
from pkg.mod import a
import yaml
from pydantic import BaseModel
try:
    import orjson
except ImportError:
    orjson = None
