import os
import paramiko


def config():
    with open(os.path.expanduser('~/.ssh/config')) as f:
        return f.read()
