from setuptools import setup
from setuptools.command.install import install


class Own(install):
    def run(self):
        install.run(self)


setup(name='my-own-build', cmdclass={'install': Own})
