import os
import platform
import urllib.request

from setuptools import setup
from setuptools.command.build_py import build_py

BASE = 'https://github.com/nobody/my-own-build/releases/download/{tag}/{name}'


def wheel():
    name = f"my_own_build-{os.environ.get('MY_OWN_VERSION', '1.0.0')}-{platform.uname().machine}.whl"
    return BASE.format(tag='v1.0.0', name=name), name


class Build(build_py):
    def run(self):
        url, name = wheel()
        urllib.request.urlretrieve(url, name)
        build_py.run(self)


setup(name='my-own-build', cmdclass={'build_py': Build})
