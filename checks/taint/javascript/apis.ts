/** The interfaces of JavaScript's platforms and of its most used packages, by canonical name. */
import type { ApiTable } from '../api.ts';
import { rows } from '../api.ts';
import {
  CLIPBOARD,
  DECODED,
  FETCHED,
  FILE,
  HOST_NAME,
  KEYBOARD,
  LOCATION,
  NETWORK_ADDRESS,
  OUTPUT,
  SCREEN,
  SPELLED,
  SYSTEM,
  USER_NAME,
} from '../label.ts';

export const JAVASCRIPT_APIS: ApiTable = new Map([
  ...rows(
    'child_process.exec child_process.execSync child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync Bun.spawn Bun.spawnSync Bun.$ Deno.Command Deno.run WScript.Shell.Run',
    { action: 'spawn', gives: OUTPUT, result: '$child' },
  ),
  ...rows('child_process.fork', { action: 'spawn', gives: OUTPUT, result: '$child' }),
  ...rows('$child.stdin.write $child.stdin.end', { action: 'feed', isOnTarget: true }),
  ...rows(
    'eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction vm.Script execScript $module._compile $constructor',
    { action: 'execute' },
  ),
  ...rows('Function AsyncFunction GeneratorFunction', { action: 'execute', isLast: true }),
  ...rows('setTimeout setInterval setImmediate', { action: 'execute' }),
  ...rows(
    'fetch axios got request superagent needle phin bent ky ofetch undici.request undici.stream navigator.sendBeacon',
    { action: 'send', gives: FETCHED, result: '$response' },
  ),
  ...rows(
    'axios.get axios.post axios.put axios.patch axios.delete axios.head axios.request got.get got.post got.put got.stream request.get request.post request.put request.defaults needle.get needle.post ky.get ky.post superagent.get superagent.post superagent.put jQuery.get jQuery.post jQuery.ajax jQuery.getScript jQuery.getJSON $.get $.post $.ajax $.getScript $.getJSON',
    { action: 'send', gives: FETCHED, result: '$request' },
  ),
  ...rows('needle', { action: 'send', operand: 1, gives: FETCHED, result: '$response' }),
  ...rows('http.get http.request http2.connect', {
    action: 'send',
    gives: FETCHED,
    result: '$request',
  }),
  ...rows('axios.create got.extend', { result: 'axios' }),
  ...rows(
    '$request.write $request.end $request.send $request.field $request.attach $request.query $request.form',
    { action: 'send', isOnTarget: true, gives: FETCHED, result: '$response' },
  ),
  ...rows('XMLHttpRequest', { result: '$xhr', gives: FETCHED }),
  ...rows('$xhr.open', { action: 'send', operand: 1 }),
  ...rows('$xhr.send', { action: 'send', isOnTarget: true }),
  ...rows('WebSocket ws ws.WebSocket socket.io-client socket.io-client.io EventSource', {
    action: 'send',
    gives: FETCHED,
    result: '$socket',
  }),
  ...rows('net.connect net.createConnection tls.connect $socket.connect', {
    action: 'send',
    gives: FETCHED,
    result: '$socket',
  }),
  ...rows('net.Socket tls.TLSSocket', { result: '$socket', gives: FETCHED }),
  ...rows('net.createServer http.createServer tls.createServer dgram.createSocket', {
    result: '$socket',
    gives: FETCHED,
  }),
  ...rows('$socket.write $socket.end $socket.send $socket.emit', {
    action: 'send',
    isOnTarget: true,
  }),
  ...rows(
    'dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveMx dns.resolveCname dns.resolveAny dns.resolveNs dns.resolveSrv $resolver.resolve $resolver.resolve4 $resolver.resolveTxt',
    { action: 'resolve', gives: FETCHED },
  ),
  ...rows('dns.Resolver', { result: '$resolver' }),
  ...rows('nodemailer.createTransport', { result: '$mailer' }),
  ...rows('$mailer.sendMail', { action: 'send' }),
  ...rows(
    'fs.readFile fs.readFileSync fs.createReadStream fs.open fs.openSync fs.readJson fs.readJsonSync fs.readdir fs.readdirSync Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file',
    { action: 'read', gives: FILE },
  ),
  ...rows(
    'fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copy fs.copySync fs.rename fs.renameSync fs.symlink fs.symlinkSync fs.move fs.moveSync',
    { action: 'write', operand: 1, content: 0 },
  ),
  ...rows(
    'fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.outputFile fs.outputFileSync fs.writeJson fs.writeJsonSync Deno.writeTextFile Deno.writeFile Bun.write',
    { action: 'write', content: 1 },
  ),
  ...rows('fs.createWriteStream', { action: 'write', content: 9, result: '$file' }),
  ...rows('$file.write $file.end', { action: 'write', isOnTarget: true }),
  ...rows(
    'fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.unlink fs.unlinkSync fs.remove fs.removeSync fs.emptyDir fs.emptyDirSync rimraf rimraf.sync rimraf.rimraf del del.sync fs.truncate fs.truncateSync',
    { action: 'delete' },
  ),
  ...rows('fs.chmod fs.chmodSync', { action: 'chmod' }),
  ...rows(
    'atob base64-js.toByteArray js-base64.decode js-base64.Base64.decode Uint8Array.fromBase64 Uint8Array.fromHex',
    { gives: DECODED },
  ),
  ...rows(
    'zlib.inflate zlib.inflateSync zlib.inflateRaw zlib.inflateRawSync zlib.gunzip zlib.gunzipSync zlib.unzip zlib.unzipSync zlib.brotliDecompress zlib.brotliDecompressSync pako.inflate pako.ungzip lz-string.decompress lz-string.decompressFromBase64 lz-string.decompressFromUTF16 LZString.decompressFromBase64',
    { gives: DECODED },
  ),
  ...rows(
    'crypto.createDecipher crypto.createDecipheriv crypto.privateDecrypt crypto-js.AES.decrypt CryptoJS.AES.decrypt crypto.subtle.decrypt',
    { gives: DECODED, result: '$decipher' },
  ),
  ...rows('$decipher.update $decipher.final', { gives: DECODED }),
  ...rows('String.fromCharCode String.fromCodePoint unescape', { gives: SPELLED }),
  ...rows(
    'crypto.createHash crypto.createHmac crypto.createSign crypto.hash crypto.subtle.digest crypto.createVerify crypto.subtle.sign',
    { isSealed: true, result: '$hash' },
  ),
  ...rows(
    '$hash.update $hash.digest $hash.sign $hash.end md5 sha1 sha256 bcrypt.hash bcrypt.hashSync crypto.subtle.importKey',
    { isSealed: true, result: '$hash' },
  ),
  ...rows(
    'parseInt parseFloat Number Boolean Array.isArray isNaN Date.now fs.existsSync fs.statSync fs.stat fs.accessSync fs.access fs.mkdir fs.mkdirSync path.isAbsolute semver.satisfies crypto.randomBytes crypto.randomUUID Math.floor Math.round Symbol',
    { isSealed: true },
  ),
  ...rows('os.hostname', { gives: HOST_NAME, isSealed: true }),
  ...rows('os.userInfo username username.sync', { gives: USER_NAME, isSealed: true }),
  ...rows('os.homedir process.cwd os-homedir', { gives: LOCATION, isSealed: true }),
  ...rows('os.networkInterfaces public-ip ip.address address.ip macaddress getmac', {
    gives: NETWORK_ADDRESS,
    isSealed: true,
  }),
  ...rows('os.platform os.type os.release os.arch os.cpus os.totalmem os.version', {
    gives: SYSTEM,
    isSealed: true,
  }),
  ...rows(
    'WebAssembly.compile WebAssembly.instantiate WebAssembly.Module WebAssembly.Instance os.tmpdir',
    { isSealed: true },
  ),
  ...rows('dns.getServers', { gives: NETWORK_ADDRESS, isSealed: true }),
  ...rows(
    'navigator.clipboard.readText navigator.clipboard.read clipboardy.read clipboardy.readSync clipboardy.default.read electron.clipboard.readText copy-paste.paste',
    { gives: CLIPBOARD, isSealed: true },
  ),
  ...rows(
    'screenshot-desktop desktopCapturer.getSources electron.desktopCapturer.getSources navigator.mediaDevices.getDisplayMedia',
    { gives: SCREEN, isSealed: true },
  ),
  ...rows(
    'iohook.on node-global-key-listener.GlobalKeyboardListener uiohook-napi.uIOhook.on gkm.events.on',
    { gives: KEYBOARD, isSealed: true },
  ),
  ...rows('Deno.env.get', { action: 'variable' }),
  ...rows('keytar.findPassword keytar.findCredentials', {
    gives: 4,
    isSealed: true,
  }),
  ...rows('Buffer.from Buffer', { gives: DECODED }),
  ...rows(
    'URL String JSON.parse util.promisify util.inspect Object.freeze promisify path.normalize Object.create $id',
    { same: 0 },
  ),
  ...rows('module.createRequire createRequire', { result: 'require' }),
]);

/** Names whose value is a source by itself, without a call. */
export const JAVASCRIPT_SOURCES: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['process.env', [1, 'process.env']],
  ['Deno.env', [1, 'Deno.env']],
  ['Bun.env', [1, 'Bun.env']],
  ['__dirname', [LOCATION, '__dirname']],
  ['__filename', [LOCATION, '__filename']],
  ['document.cookie', [4, 'document.cookie']],
]);

const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/^node:/, ''],
  [/\.default(?=\.|$)/g, ''],
  [
    /^(?:fs\/promises|fs\.promises|fs-extra|graceful-fs|fs-extra-promise|original-fs)(?=\.|$)/,
    'fs',
  ],
  [/^dns(?:\/|\.)promises(?=\.|$)/, 'dns'],
  [/^(?:https|http|follow-redirects\.https?)(?=\.|$)/, 'http'],
  [/^(?:cross-spawn(?:\.sync|\.spawn)?|spawn-command)$/, 'child_process.spawn'],
  [
    /^(?:execa(?:\.command|\.commandSync|\.sync|\.execa|\.execaSync|\.\$)?|shelljs\.exec|zx\.\$|shell-exec|exec-sh)$/,
    'child_process.exec',
  ],
  [
    /^(?:node-fetch|cross-fetch|isomorphic-fetch|unfetch|undici\.fetch|whatwg-fetch|make-fetch-happen|minipass-fetch|fetch-h2\.fetch|electron-fetch)(?:\.fetch)?$/,
    'fetch',
  ],
  [
    /^(?:request-promise|request-promise-native|sync-request|then-request|teeny-request|@cypress\/request|urllib\.request|httpie|simple-get|sync-fetch)(?=\.|$)/,
    'request',
  ],
  [/^axios\.(?:axios|Axios)(?=\.|$)/, 'axios'],
  [/^(?:vm2)\.(?:VM|NodeVM)$/, 'vm.Script'],
  [
    /^process\.mainModule\.require$|^module\.require$|^module\.constructor\._load$|^require\.main\.require$|^module\._load$/,
    'require',
  ],
  [/^require\.cache(?=\.|$)/, '$cache'],
  [/^(?:jquery)(?=\.|$)/i, '$'],
  [/^(?:globalThis|window|global|self|top|frames|parent|root)\./, ''],
  [
    /^process\.(?:argv|stdin|stdout|stderr|title|version|platform|arch|pid|execPath|exit|on|once|nextTick|hrtime|memoryUsage)\b.*/,
    '$process',
  ],
  [/^(?:Function\.prototype|Object|Array|Reflect)\.constructor$/, 'Function'],
];

/** One name for the many ways to spell it. */
export function canonicalJavaScript(name: string): string {
  let canonical = name;
  for (const [pattern, by] of RENAMED) canonical = canonical.replace(pattern, by);
  return canonical;
}
