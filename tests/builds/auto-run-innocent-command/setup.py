import subprocess

from setuptools import Command, setup
from setuptools.command.install import install


class Own(install):
    """Writes the version beside the package, as a project does that is installed from its repository."""

    def run(self):
        with open('my_own_build/version.py', 'w') as file:
            file.write('VERSION = "1.0.0"')
        install.run(self)


class Docs(Command):
    def run(self):
        subprocess.check_call(['sphinx-build', 'docs', 'site'])


setup(name='my-own-build', cmdclass={'install': Own, 'docs': Docs})
