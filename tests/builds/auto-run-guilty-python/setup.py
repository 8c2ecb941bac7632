import subprocess

from setuptools import setup
from setuptools.command.install import install


class Own(install):
    def run(self):
        install.run(self)
        after()


def after():
    subprocess.run(['my-own-build', 'init'])


setup(name='my-own-build', cmdclass={'install': Own})
