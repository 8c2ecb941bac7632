/** The APIs of JavaScript, its platforms and most used packages, and its names that are sources. */
import { HTTP_METHODS, rows, WALLET_SOURCE, type ApiTable, type SourceName } from '../api.ts';
import * as labels from '../label.ts';

/** By canonical name. */
const PROCESS_APIS: ApiTable = new Map([
  ...rows({ sink: 'spawn', source: labels.OUTPUT, result: '$child' }, [
    'child_process.exec child_process.execSync child_process.spawn child_process.spawnSync',
    'child_process.execFile child_process.execFileSync child_process.fork',
    'spawn_sync.spawn $process_wrap.spawn',
    'Bun.spawn Bun.spawnSync Bun.$ Deno.Command Deno.run WScript.Shell.Run',
  ]),
  ...rows({ sink: 'feed', isOnTarget: true }, ['$child.stdin.write $child.stdin.end']),
  ...rows({ sink: 'execute' }, [
    'eval execScript $module._compile',
    'vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction vm.Script',
    'setTimeout setInterval setImmediate',
  ]),
  ...rows({ result: '$process_wrap' }, ['process_wrap.Process']),
  ...rows({ sink: 'execute', isLast: true, result: '$module' }, ['$constructor']),
  ...rows({ result: '$module' }, ['module']),
  ...rows({ sink: 'execute', isLast: true }, ['Function AsyncFunction GeneratorFunction']),
]);

/** By canonical name. */
const NETWORK_APIS: ApiTable = new Map([
  ...rows({ sink: 'send', source: labels.FETCHED, result: '$response' }, [
    'fetch axios got request superagent needle phin bent ky ofetch',
    'undici.request undici.stream navigator.sendBeacon',
  ]),
  ...rows({ sink: 'send', source: labels.FETCHED, result: '$request' }, [
    ...['axios', 'got', 'request', 'needle', 'ky', 'superagent', 'phin', '$'].flatMap((client) =>
      HTTP_METHODS.map((method) => `${client}.${method}`),
    ),
    'got.stream request.defaults $.ajax $.getScript $.getJSON http.get http.request http2.connect',
  ]),
  ...rows({ sink: 'send', operand: 1, source: labels.FETCHED, result: '$response' }, ['needle']),
  ...rows({ result: 'axios' }, [
    'axios.create axios.extend got.extend ky.create ky.extend ofetch.create',
  ]),
  ...rows({ sink: 'send', isOnTarget: true, source: labels.FETCHED, result: '$response' }, [
    '$request.write $request.end $request.send $request.field $request.attach',
    '$request.query $request.form',
  ]),
  ...rows({ isOnTarget: true, result: '$request' }, ['$request.request']),
  ...rows({ sink: 'send', isOwnContent: true }, ['$store.submit']),
  ...rows({ result: '$xhr', source: labels.FETCHED }, ['XMLHttpRequest']),
  ...rows({ sink: 'send', operand: 1 }, ['$xhr.open']),
  ...rows({ sink: 'send', source: labels.FETCHED, result: '$socket' }, [
    'WebSocket ws EventSource ws.WebSocket socket.io-client socket.io-client.io',
    'net.connect net.createConnection tls.connect $socket.connect',
  ]),
  ...rows({ result: '$socket', source: labels.FETCHED }, [
    'net.Socket tls.TLSSocket net.createServer http.createServer tls.createServer dgram.createSocket',
  ]),
  ...rows({ sink: 'send', isOnTarget: true }, [
    '$socket.write $socket.end $socket.send $socket.emit $xhr.send $webhook.$any',
    '$mailer.sendMail $mailer.send',
  ]),
  ...rows({ sink: 'resolve', source: labels.FETCHED }, [
    'dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveMx',
    'dns.resolveCname dns.resolveAny dns.resolveNs dns.resolveSrv',
    '$resolver.resolve $resolver.resolve4 $resolver.resolveTxt',
  ]),
  ...rows({ result: '$resolver' }, ['dns.Resolver']),
  ...rows({ result: '$sentry' }, ['@sentry/node.withScope @sentry/node.getCurrentScope']),
  ...rows({ sink: 'send', host: 'https://sentry.io/' }, [
    '@sentry/node.setContext @sentry/node.setExtra @sentry/node.setExtras @sentry/node.setTags',
    '$sentry.setContext $sentry.setExtra $sentry.setExtras $sentry.setTags',
  ]),
  ...rows({ result: '$image' }, ['Image document.createElement']),
  ...rows({ result: '$worker' }, ['Worker worker_threads.Worker']),
  ...rows({ isDeep: true, result: '$logger' }, [
    'winston.createLogger winston.Logger bunyan.createLogger bunyan pino loglevel signale.Signale',
    'winston.transports.Http winston.transports.Stream winston-loki winston-elasticsearch',
    'winston-elasticsearch.ElasticsearchTransport pino.transport pino-http-send winston-transport-http',
  ]),
  ...rows({ isDeep: true }, ['$logger.add $logger.addStream $logger.configure']),
  ...rows({ sink: 'send', isOnTarget: true, result: '$logger' }, ['$logger.$any']),
  ...rows({ result: '$mailer' }, ['nodemailer.createTransport']),
  ...rows({ result: '$webhook' }, [
    'discord.js.WebhookClient @slack/webhook.IncomingWebhook discord-webhook-node.Webhook',
    'discord-webhook-node.MessageBuilder',
  ]),
  ...rows({ result: '$telegram' }, [
    'telegraf.Telegraf telegraf.Telegram node-telegram-bot-api grammy.Bot',
  ]),
  ...rows({ sink: 'send', host: 'https://api.telegram.org/bot' }, ['$telegram.$any']),
  ...rows({ result: '$slack' }, ['@slack/web-api.WebClient']),
  ...rows({ sink: 'send', host: 'https://hooks.slack.com/' }, ['$slack.$any']),
  ...rows({ result: '$cloud' }, [
    '@octokit/rest.Octokit @octokit/core.Octokit octokit.Octokit @octokit/request.request',
    '@octokit/rest @actions/github.getOctokit @gitbeaker/rest.Gitlab',
  ]),
  ...rows({ sink: 'send', host: 'https://api.github.com/' }, ['$cloud.$any']),
  ...rows({ sink: 'send', content: 1, host: 'https://firebaseio.com/' }, [
    'firebase/database.set firebase/database.push firebase/database.update',
    'firebase/firestore.addDoc firebase/firestore.setDoc firebase/firestore.updateDoc',
  ]),
]);

/** By canonical name. */
const FILE_APIS: ApiTable = new Map([
  ...rows({ sink: 'read', source: labels.FILE }, [
    'fs.readFile fs.readFileSync fs.createReadStream fs.open fs.openSync fs.readJson',
    'fs.readJsonSync fs.readdir fs.readdirSync fs.opendir fs.opendirSync vscode.workspace.fs.readFile',
    'Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file',
  ]),
  ...rows({ isGlob: true }, [
    'fast-glob fast-glob.sync fast-glob.glob globby globby.globby globby.globbySync tinyglobby.glob',
    'glob glob.glob glob.sync glob.globSync fs.glob fs.globSync vscode.workspace.findFiles',
  ]),
  ...rows({ sink: 'write', operand: 1, content: 0, packs: true }, [
    'fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copy fs.copySync fs.rename',
    'fs.renameSync fs.symlink fs.symlinkSync fs.move fs.moveSync',
  ]),
  ...rows({ sink: 'write', content: 1 }, [
    'fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.outputFile',
    'fs.outputFileSync fs.writeJson fs.writeJsonSync',
    'Deno.writeTextFile Deno.writeFile Bun.write',
  ]),
  ...rows({ sink: 'write', content: 9, result: '$file' }, ['fs.createWriteStream']),
  ...rows({ sink: 'write', isOnTarget: true }, ['$file.write $file.end']),
  ...rows({ sink: 'delete' }, [
    'fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.unlink fs.unlinkSync fs.remove fs.removeSync',
    'fs.emptyDir fs.emptyDirSync fs.truncate fs.truncateSync',
    'rimraf del rimraf.sync rimraf.rimraf rimraf.rimrafSync rimraf.native del.sync',
    'del.deleteAsync del.deleteSync Deno.remove Deno.removeSync',
  ]),
  ...rows({ sink: 'delete', isLast: true }, ['shelljs.rm']),
  ...rows({ sink: 'chmod' }, ['fs.chmod fs.chmodSync']),
  ...rows({ sink: 'write', content: 9 }, ['tar.x tar.extract extract-zip decompress']),
  ...rows({ sink: 'write', packs: true }, ['tar.c tar.create tar-fs.pack tar.Pack']),
  ...rows({ result: '$archive' }, ['adm-zip archiver']),
  ...rows({ packs: true }, [
    '$archive.addLocalFile $archive.addLocalFolder $archive.directory $archive.file $archive.glob',
  ]),
  ...rows({ sink: 'write', isOwnContent: true }, [
    '$archive.writeZip $archive.extractAllTo $archive.extractEntryTo $archive.extractAllToAsync',
  ]),
]);

/** By canonical name. */
const DATA_APIS: ApiTable = new Map([
  ...rows({ source: labels.DECODED }, [
    'atob base64-js.toByteArray js-base64.decode js-base64.Base64.decode',
    'Uint8Array.fromBase64 Uint8Array.fromHex',
    'zlib.inflate zlib.inflateSync zlib.inflateRaw zlib.inflateRawSync zlib.gunzip',
    'zlib.gunzipSync zlib.unzip zlib.unzipSync zlib.brotliDecompress',
    'zlib.brotliDecompressSync',
    'pako.inflate pako.ungzip lz-string.decompress lz-string.decompressFromBase64',
    'lz-string.decompressFromUTF16 LZString.decompressFromBase64',
    '$decipher.update $decipher.final Buffer.from Buffer',
  ]),
  ...rows({ source: labels.ENCODED }, [
    'btoa js-base64.encode js-base64.toBase64 js-base64.Base64.encode base64-js.fromByteArray',
    'zlib.gzipSync zlib.deflateSync zlib.deflateRawSync zlib.brotliCompressSync',
  ]),
  ...rows({ sink: 'print' }, [
    'console.log console.info console.warn console.error console.debug console.dir',
    '@actions/core.setOutput @actions/core.info @actions/core.notice @actions/core.warning',
    '@actions/core.error @actions/core.exportVariable @actions/core.summary.addRaw',
  ]),
  ...rows({ source: labels.DECODED, result: '$decipher' }, [
    'crypto.createDecipher crypto.createDecipheriv crypto.privateDecrypt',
    'crypto.subtle.decrypt',
    'crypto-js.AES.decrypt CryptoJS.AES.decrypt',
  ]),
  ...rows({ source: labels.SPELLED }, ['String.fromCharCode String.fromCodePoint unescape']),
  ...rows({ isSanitizer: true, result: '$hash' }, [
    'crypto.createHash crypto.createHmac crypto.createSign crypto.hash crypto.subtle.digest',
    'crypto.createVerify crypto.subtle.sign',
    '$hash.update $hash.digest $hash.sign $hash.end',
    'md5 sha1 sha256 bcrypt.hash bcrypt.hashSync crypto.subtle.importKey',
  ]),
  ...rows({ isSanitizer: true }, [
    'parseInt parseFloat Number Boolean isNaN Symbol',
    'Array.isArray Date.now',
    'fs.existsSync fs.statSync fs.stat fs.accessSync fs.access fs.mkdir fs.mkdirSync',
    'path.isAbsolute semver.satisfies crypto.randomBytes crypto.randomUUID Math.floor',
    'Math.round os.tmpdir',
    'WebAssembly.compile WebAssembly.instantiate WebAssembly.Module WebAssembly.Instance',
  ]),
  ...rows({ source: labels.HOST_NAME, isSanitizer: true }, ['os.hostname']),
  ...rows({ source: labels.USER_NAME, isSanitizer: true }, ['os.userInfo username username.sync']),
  ...rows({ source: labels.LOCATION, isSanitizer: true }, ['os.homedir process.cwd os-homedir']),
  ...rows({ source: labels.NETWORK_ADDRESS, isSanitizer: true }, [
    'os.networkInterfaces public-ip macaddress getmac ip.address address.ip dns.getServers',
  ]),
  ...rows({ source: labels.SYSTEM, isSanitizer: true }, [
    'os.platform os.type os.release os.arch os.cpus os.totalmem os.version',
  ]),
  ...rows({ source: labels.CLIPBOARD, isSanitizer: true }, [
    'navigator.clipboard.readText navigator.clipboard.read clipboardy.read',
    'clipboardy.readSync electron.clipboard.readText',
    'copy-paste.paste',
  ]),
  ...rows({ source: labels.SCREEN, isSanitizer: true }, [
    'screenshot-desktop desktopCapturer.getSources electron.desktopCapturer.getSources',
    'navigator.mediaDevices.getDisplayMedia chrome.tabs.captureVisibleTab',
  ]),
  ...rows({ source: labels.KEYBOARD, isSanitizer: true }, [
    'iohook.on node-global-key-listener.GlobalKeyboardListener uiohook-napi.uIOhook.on',
    'gkm.events.on',
  ]),
  ...rows({ sink: 'variable' }, ['Deno.env.get']),
  ...rows({ source: labels.OUTPUT, isSanitizer: true }, [
    'keytar.getPassword @actions/core.getIDToken',
  ]),
  ...rows({ source: labels.CREDENTIAL, isSanitizer: true }, [
    'keytar.findPassword keytar.findCredentials chrome.cookies.getAll chrome.cookies.get',
  ]),
  ...rows({ returns: 0 }, [
    'String promisify Request',
    'JSON.parse util.promisify util.inspect Object.freeze Object.create path.normalize',
  ]),
  ...rows({ returns: 0, result: '$url' }, ['URL']),
  ...rows({ result: '$store' }, [
    'Map WeakMap Set FormData form-data URLSearchParams Headers events events.EventEmitter',
  ]),
  ...rows({ result: 'require' }, ['module.createRequire createRequire']),
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
  [WALLET_SOURCE, [labels.WALLET_KEY, WALLET_SOURCE]],
  ['process.env', [labels.ENVIRONMENT, 'process.env']],
  ['Deno.env', [labels.ENVIRONMENT, 'Deno.env']],
  ['Bun.env', [labels.ENVIRONMENT, 'Bun.env']],
  ['__dirname', [labels.LOCATION, '__dirname']],
  ['__filename', [labels.LOCATION, '__filename']],
  ['import.meta.filename', [labels.LOCATION, 'import.meta.filename']],
  ['document.cookie', [labels.CREDENTIAL, 'document.cookie']],
  ['req.headers', [labels.SEEN, 'req.headers']],
  ['req.body.password', [labels.SEEN, 'req.body.password']],
  ['KeyboardEvent.key', [labels.KEYBOARD, 'KeyboardEvent.key']],
  ['KeyboardEvent.which', [labels.KEYBOARD, 'KeyboardEvent.which']],
  ['KeyboardEvent.keyCode', [labels.KEYBOARD, 'KeyboardEvent.keyCode']],
  ['$field.value', [labels.SEEN, '$field.value']],
]);
