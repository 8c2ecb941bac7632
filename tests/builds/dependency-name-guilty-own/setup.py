from setuptools import setup

setup(
    name='colourama',
    version='1.0',
)
