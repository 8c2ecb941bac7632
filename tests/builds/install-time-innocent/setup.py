import subprocess
from setuptools import setup

version = subprocess.check_output(['git', 'describe']).decode().strip()
setup(name='x', version=version)
