const { readFile } = require('fs/promises');
const { homedir } = require('os');
const { createHmac } = require('crypto');
async function call(body) {
  const ini = await readFile(homedir() + '/.aws/credentials', 'utf8');
  const key = /aws_secret_access_key=(.*)/.exec(ini)[1];
  const signature = createHmac('sha256', key).update(body).digest('hex');
  return fetch('https://sts.amazonaws.com/', { method: 'POST', body, headers: { authorization: signature } });
}
module.exports = { call };
