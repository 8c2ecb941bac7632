/** JavaScript APIs that decode data or read about the machine and its user. */
import { rows, type ApiTable } from '../api.ts';
import {
  CLIPBOARD,
  CREDENTIAL,
  DECODED,
  HOST_NAME,
  KEYBOARD,
  LOCATION,
  NETWORK_ADDRESS,
  SCREEN,
  SPELLED,
  SYSTEM,
  USER_NAME,
} from '../label.ts';

/** By canonical name. */
export const DATA_APIS: ApiTable = new Map([
  ...rows(
    [
      'atob base64-js.toByteArray js-base64.decode js-base64.Base64.decode',
      'Uint8Array.fromBase64 Uint8Array.fromHex',
    ],
    { source: DECODED },
  ),
  ...rows(
    [
      'zlib.inflate zlib.inflateSync zlib.inflateRaw zlib.inflateRawSync zlib.gunzip',
      'zlib.gunzipSync zlib.unzip zlib.unzipSync zlib.brotliDecompress',
      'zlib.brotliDecompressSync',
      'pako.inflate pako.ungzip lz-string.decompress lz-string.decompressFromBase64',
      'lz-string.decompressFromUTF16 LZString.decompressFromBase64',
    ],
    { source: DECODED },
  ),
  ...rows(
    [
      'crypto.createDecipher crypto.createDecipheriv crypto.privateDecrypt',
      'crypto.subtle.decrypt',
      'crypto-js.AES.decrypt CryptoJS.AES.decrypt',
    ],
    { source: DECODED, result: '$decipher' },
  ),
  ...rows(['$decipher.update $decipher.final'], { source: DECODED }),
  ...rows(['String.fromCharCode String.fromCodePoint unescape'], { source: SPELLED }),
  ...rows(
    [
      'crypto.createHash crypto.createHmac crypto.createSign crypto.hash crypto.subtle.digest',
      'crypto.createVerify crypto.subtle.sign',
    ],
    { isSanitizer: true, result: '$hash' },
  ),
  ...rows(
    [
      '$hash.update $hash.digest $hash.sign $hash.end',
      'md5 sha1 sha256 bcrypt.hash bcrypt.hashSync crypto.subtle.importKey',
    ],
    { isSanitizer: true, result: '$hash' },
  ),
  ...rows(
    [
      'parseInt parseFloat Number Boolean isNaN Symbol',
      'Array.isArray Date.now',
      'fs.existsSync fs.statSync fs.stat fs.accessSync fs.access fs.mkdir fs.mkdirSync',
      'path.isAbsolute semver.satisfies crypto.randomBytes crypto.randomUUID Math.floor',
      'Math.round',
    ],
    { isSanitizer: true },
  ),
  ...rows(['os.hostname'], { source: HOST_NAME, isSanitizer: true }),
  ...rows(['os.userInfo username username.sync'], { source: USER_NAME, isSanitizer: true }),
  ...rows(['os.homedir process.cwd os-homedir'], { source: LOCATION, isSanitizer: true }),
  ...rows(['os.networkInterfaces public-ip macaddress getmac ip.address address.ip'], {
    source: NETWORK_ADDRESS,
    isSanitizer: true,
  }),
  ...rows(['os.platform os.type os.release os.arch os.cpus os.totalmem os.version'], {
    source: SYSTEM,
    isSanitizer: true,
  }),
  ...rows(
    [
      'WebAssembly.compile WebAssembly.instantiate WebAssembly.Module WebAssembly.Instance',
      'os.tmpdir',
    ],
    { isSanitizer: true },
  ),
  ...rows(['dns.getServers'], { source: NETWORK_ADDRESS, isSanitizer: true }),
  ...rows(
    [
      'navigator.clipboard.readText navigator.clipboard.read clipboardy.read',
      'clipboardy.readSync electron.clipboard.readText',
      'copy-paste.paste',
    ],
    { source: CLIPBOARD, isSanitizer: true },
  ),
  ...rows(
    [
      'screenshot-desktop desktopCapturer.getSources electron.desktopCapturer.getSources',
      'navigator.mediaDevices.getDisplayMedia',
    ],
    { source: SCREEN, isSanitizer: true },
  ),
  ...rows(
    [
      'iohook.on node-global-key-listener.GlobalKeyboardListener uiohook-napi.uIOhook.on',
      'gkm.events.on',
    ],
    { source: KEYBOARD, isSanitizer: true },
  ),
  ...rows(['Deno.env.get'], { sink: 'variable' }),
  ...rows(['keytar.findPassword keytar.findCredentials'], {
    source: CREDENTIAL,
    isSanitizer: true,
  }),
  ...rows(['Buffer.from Buffer'], { source: DECODED }),
  ...rows(
    [
      'URL String promisify',
      'JSON.parse util.promisify util.inspect Object.freeze Object.create path.normalize',
    ],
    { returns: 0 },
  ),
  ...rows(['module.createRequire createRequire'], { result: 'require' }),
]);
