const wasm = Buffer.from('AGFzbQEAAAA=', 'base64');
const module = new WebAssembly.Module(wasm);
export const compile = (template) => new Function('data', 'return `' + template + '`');
export const decode = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
setTimeout(() => decode('a.b'), 10);
