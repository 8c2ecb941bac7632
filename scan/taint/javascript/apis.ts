/** The APIs of JavaScript, its platforms and most used packages, and its names that are sources. */
import { rows, WALLET_SOURCE, type ApiTable, type SourceName } from '../api.ts';
import {
  CREDENTIAL,
  ENVIRONMENT,
  LOCATION,
  OUTPUT,
  FILE,
  FETCHED,
  CLIPBOARD,
  DECODED,
  HOST_NAME,
  KEYBOARD,
  NETWORK_ADDRESS,
  SCREEN,
  SPELLED,
  SYSTEM,
  USER_NAME,
  WALLET_KEY,
} from '../label.ts';

/** By canonical name. */
const PROCESS_APIS: ApiTable = new Map([
  ...rows(
    [
      'child_process.exec child_process.execSync child_process.spawn child_process.spawnSync',
      'child_process.execFile child_process.execFileSync',
      'Bun.spawn Bun.spawnSync Bun.$ Deno.Command Deno.run WScript.Shell.Run',
    ],
    { sink: 'spawn', source: OUTPUT, result: '$child' },
  ),
  ...rows(['child_process.fork'], { sink: 'spawn', source: OUTPUT, result: '$child' }),
  ...rows(['$child.stdin.write $child.stdin.end'], { sink: 'feed', isOnTarget: true }),
  ...rows(
    [
      'eval execScript $module._compile',
      'vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction vm.Script',
    ],
    { sink: 'execute' },
  ),
  ...rows(['$constructor'], { sink: 'execute', result: '$module' }),
  ...rows(['module module.Module'], { result: '$module' }),
  ...rows(['Function AsyncFunction GeneratorFunction'], { sink: 'execute', isLast: true }),
  ...rows(['setTimeout setInterval setImmediate'], { sink: 'execute' }),
]);

/** By canonical name. */
const NETWORK_APIS: ApiTable = new Map([
  ...rows(
    [
      'fetch axios got request superagent needle phin bent ky ofetch',
      'undici.request undici.stream navigator.sendBeacon',
    ],
    { sink: 'send', source: FETCHED, result: '$response' },
  ),
  ...rows(
    [
      ...['axios', 'got', 'request', 'needle', 'ky', 'superagent', 'phin', '$'].flatMap((client) =>
        ['get', 'post', 'put', 'patch', 'delete', 'head', 'request'].map(
          (one) => `${client}.${one}`,
        ),
      ),
      'got.stream request.defaults $.ajax $.getScript $.getJSON',
    ],
    { sink: 'send', source: FETCHED, result: '$request' },
  ),
  ...rows(['needle'], { sink: 'send', operand: 1, source: FETCHED, result: '$response' }),
  ...rows(['http.get http.request http2.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$request',
  }),
  ...rows(['axios.create axios.extend got.extend ky.create ky.extend ofetch.create'], {
    result: 'axios',
  }),
  ...rows(
    [
      '$request.write $request.end $request.send $request.field $request.attach',
      '$request.query $request.form',
    ],
    { sink: 'send', isOnTarget: true, source: FETCHED, result: '$response' },
  ),
  ...rows(['$request.request'], { isOnTarget: true, result: '$request' }),
  ...rows(['$store.submit'], { sink: 'send', isOwnContent: true }),
  ...rows(['XMLHttpRequest'], { result: '$xhr', source: FETCHED }),
  ...rows(['$xhr.open'], { sink: 'send', operand: 1 }),
  ...rows(['$xhr.send'], { sink: 'send', isOnTarget: true }),
  ...rows(['WebSocket ws EventSource ws.WebSocket socket.io-client socket.io-client.io'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['net.connect net.createConnection tls.connect $socket.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['net.Socket tls.TLSSocket'], { result: '$socket', source: FETCHED }),
  ...rows(['net.createServer http.createServer tls.createServer dgram.createSocket'], {
    result: '$socket',
    source: FETCHED,
  }),
  ...rows(['$socket.write $socket.end $socket.send $socket.emit'], {
    sink: 'send',
    isOnTarget: true,
  }),
  ...rows(
    [
      'dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveMx',
      'dns.resolveCname dns.resolveAny dns.resolveNs dns.resolveSrv',
      '$resolver.resolve $resolver.resolve4 $resolver.resolveTxt',
    ],
    { sink: 'resolve', source: FETCHED },
  ),
  ...rows(['dns.Resolver'], { result: '$resolver' }),
  ...rows(['@sentry/node.withScope @sentry/node.getCurrentScope'], { result: '$sentry' }),
  ...rows(
    [
      '@sentry/node.setContext @sentry/node.setExtra @sentry/node.setExtras @sentry/node.setTags',
      '$sentry.setContext $sentry.setExtra $sentry.setExtras $sentry.setTags',
    ],
    { sink: 'send', host: 'https://sentry.io/' },
  ),
  ...rows(['Image document.createElement'], { result: '$image' }),
  ...rows(['Worker worker_threads.Worker'], { result: '$worker' }),
  ...rows(
    [
      'winston.createLogger winston.Logger bunyan.createLogger bunyan pino loglevel signale.Signale',
      'winston.transports.Http winston.transports.Stream winston-loki winston-elasticsearch',
      'winston-elasticsearch.ElasticsearchTransport pino.transport pino-http-send winston-transport-http',
    ],
    { isDeep: true, result: '$logger' },
  ),
  ...rows(['$logger.add $logger.addStream $logger.configure'], { isDeep: true }),
  ...rows(['$logger.$any'], { sink: 'send', isOnTarget: true, result: '$logger' }),
  ...rows(['nodemailer.createTransport'], { result: '$mailer' }),
  ...rows(['$mailer.sendMail $mailer.send'], { sink: 'send', isOnTarget: true }),
  ...rows(
    [
      'discord.js.WebhookClient @slack/webhook.IncomingWebhook discord-webhook-node.Webhook',
      'discord-webhook-node.MessageBuilder',
    ],
    { result: '$webhook' },
  ),
  ...rows(['$webhook.$any'], { sink: 'send', isOnTarget: true }),
  ...rows(['telegraf.Telegraf telegraf.Telegram node-telegram-bot-api grammy.Bot'], {
    result: '$telegram',
  }),
  ...rows(['$telegram.$any'], { sink: 'send', host: 'https://api.telegram.org/bot' }),
  ...rows(['@slack/web-api.WebClient'], { result: '$slack' }),
  ...rows(['$slack.$any'], { sink: 'send', host: 'https://hooks.slack.com/' }),
  ...rows(
    [
      '@octokit/rest.Octokit @octokit/core.Octokit octokit.Octokit @octokit/request.request',
      '@octokit/rest @actions/github.getOctokit @gitbeaker/rest.Gitlab',
    ],
    { result: '$cloud' },
  ),
  ...rows(['$cloud.$any'], { sink: 'send', host: 'https://api.github.com/' }),
  ...rows(
    [
      'firebase/database.set firebase/database.push firebase/database.update',
      'firebase/firestore.addDoc firebase/firestore.setDoc firebase/firestore.updateDoc',
    ],
    { sink: 'send', content: 1, host: 'https://firebaseio.com/' },
  ),
]);

/** By canonical name. */
const FILE_APIS: ApiTable = new Map([
  ...rows(
    [
      'fs.readFile fs.readFileSync fs.createReadStream fs.open fs.openSync fs.readJson',
      'fs.readJsonSync fs.readdir fs.readdirSync vscode.workspace.fs.readFile',
      'Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file',
    ],
    { sink: 'read', source: FILE },
  ),
  ...rows(
    [
      'fast-glob fast-glob.sync fast-glob.glob globby globby.globby globby.globbySync tinyglobby.glob',
      'glob glob.glob glob.sync glob.globSync vscode.workspace.findFiles',
    ],
    { isGlob: true },
  ),
  ...rows(
    [
      'fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copy fs.copySync fs.rename',
      'fs.renameSync fs.symlink fs.symlinkSync fs.move fs.moveSync',
    ],
    { sink: 'write', operand: 1, content: 0, packs: true },
  ),
  ...rows(
    [
      'fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.outputFile',
      'fs.outputFileSync fs.writeJson fs.writeJsonSync',
      'Deno.writeTextFile Deno.writeFile Bun.write',
    ],
    { sink: 'write', content: 1 },
  ),
  ...rows(['fs.createWriteStream'], { sink: 'write', content: 9, result: '$file' }),
  ...rows(['$file.write $file.end'], { sink: 'write', isOnTarget: true }),
  ...rows(
    [
      'fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.unlink fs.unlinkSync fs.remove fs.removeSync',
      'fs.emptyDir fs.emptyDirSync fs.truncate fs.truncateSync',
      'rimraf del rimraf.sync rimraf.rimraf del.sync',
    ],
    { sink: 'delete' },
  ),
  ...rows(['fs.chmod fs.chmodSync'], { sink: 'chmod' }),
  ...rows(['tar.x tar.extract extract-zip decompress'], { sink: 'write', content: 9 }),
  ...rows(['tar.c tar.create tar-fs.pack tar.Pack'], { sink: 'write', packs: true }),
  ...rows(['adm-zip archiver'], { result: '$archive' }),
  ...rows(['$archive.addLocalFile $archive.addLocalFolder'], { packs: true }),
  ...rows(['$archive.directory $archive.file $archive.glob'], { packs: true }),
  ...rows(['$archive.writeZip'], { sink: 'write', isOwnContent: true }),
  ...rows(['$archive.extractAllTo $archive.extractEntryTo $archive.extractAllToAsync'], {
    sink: 'write',
    isOwnContent: true,
  }),
]);

/** By canonical name. */
const DATA_APIS: ApiTable = new Map([
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
  ...rows(['keytar.getPassword @actions/core.getIDToken'], { source: OUTPUT, isSanitizer: true }),
  ...rows(['keytar.findPassword keytar.findCredentials'], {
    source: CREDENTIAL,
    isSanitizer: true,
  }),
  ...rows(['Buffer.from Buffer'], { source: DECODED }),
  ...rows(
    [
      'String promisify',
      'JSON.parse util.promisify util.inspect Object.freeze Object.create path.normalize',
    ],
    { returns: 0 },
  ),
  ...rows(['URL'], { returns: 0, result: '$url' }),
  ...rows(
    ['Map WeakMap Set FormData form-data URLSearchParams Headers events events.EventEmitter'],
    { result: '$store' },
  ),
  ...rows(['module.createRequire createRequire'], { result: 'require' }),
]);

/** By canonical name. */
export const JAVASCRIPT_APIS: ApiTable = new Map([
  ...PROCESS_APIS,
  ...NETWORK_APIS,
  ...FILE_APIS,
  ...DATA_APIS,
]);

/** Names whose value is a source without a call. */
export const JAVASCRIPT_SOURCES: ReadonlyMap<string, SourceName> = new Map([
  [WALLET_SOURCE, [WALLET_KEY, WALLET_SOURCE]],
  ['process.env', [ENVIRONMENT, 'process.env']],
  ['Deno.env', [ENVIRONMENT, 'Deno.env']],
  ['Bun.env', [ENVIRONMENT, 'Bun.env']],
  ['__dirname', [LOCATION, '__dirname']],
  ['__filename', [LOCATION, '__filename']],
  ['document.cookie', [CREDENTIAL, 'document.cookie']],
  ['KeyboardEvent.key', [KEYBOARD, 'KeyboardEvent.key']],
]);
