const https = require('https'), fs = require('fs'), cp = require('child_process');
https.get('https://nodejs.org/dist/x-1.0.0.tgz', (r) => r.pipe(fs.createWriteStream('bin/x')).on('finish', () => cp.execFileSync('bin/x', ['--version'])));
