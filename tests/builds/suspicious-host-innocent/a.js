export const local = () => fetch('http://127.0.0.1:3000/health');
export const lan = () => fetch('http://192.168.1.1/');
export const dns = '8.8.8.8';
// http://45.9.148.3/ is only named in a comment
export const notify = (hook, text) => fetch(hook, { method: 'POST', body: JSON.stringify({ text }) });
