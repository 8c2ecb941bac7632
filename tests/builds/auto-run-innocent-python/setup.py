from setuptools import setup

setup(name='my-own-build')
