import os
import yaml
from flask.views import View
