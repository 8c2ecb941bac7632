const { exec, execFile } = require('child_process');
exports.clone = (url) => exec(`git clone ${url} work`);
exports.status = () => exec('git status');
exports.log = (name) => execFile('git', ['log', name]);
