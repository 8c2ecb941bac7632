/** The APIs of Python, its platforms and most used packages, and its names that are sources. */
import { rows, WALLET_SOURCE, type ApiTable, type SourceName } from '../api.ts';
import { wordsOf } from '../../parse/word-list.ts';
import { ENVIRONMENT, LOCATION, FILE, DECODED, OUTPUT, FETCHED, WALLET_KEY } from '../label.ts';
import { DATA_APIS } from './data-apis.ts';

/** By canonical name. */
const PROCESS_APIS: ApiTable = new Map([
  ...rows(
    [
      'os.system os.popen os.startfile',
      'subprocess.Popen subprocess.run subprocess.call subprocess.check_call',
      'subprocess.check_output subprocess.getoutput subprocess.getstatusoutput',
      'commands.getoutput pty.spawn asyncio.create_subprocess_shell',
      'asyncio.create_subprocess_exec distutils.spawn.spawn pexpect.spawn sh.bash',
      'win32api.ShellExecute win32api.WinExec',
    ],
    { sink: 'spawn', keyword: 'args', source: OUTPUT, result: '$child' },
  ),
  ...rows(['os.execl os.execle os.execlp os.execv os.execve os.execvp os.spawnl os.spawnv'], {
    sink: 'spawn',
    operand: 0,
  }),
  ...rows(
    [
      'ctypes.windll.kernel32.CreateThread ctypes.windll.kernel32.CreateRemoteThread',
      'ctypes.windll.kernel32.QueueUserAPC ctypes.windll.kernel32.WriteProcessMemory',
      'ctypes.windll.kernel32.RtlMoveMemory ctypes.windll.ntdll.NtCreateThreadEx',
      'ctypes.windll.kernel32.EnumSystemLocalesA',
    ],
    { sink: 'inject' },
  ),
  ...rows(['ctypes.windll.shell32.ShellExecuteW'], { sink: 'spawn', operand: 2 }),
  ...rows(['$child.communicate $child.stdin.write'], {
    sink: 'feed',
    isOnTarget: true,
    source: OUTPUT,
  }),
  ...rows(
    [
      'builtins.exec builtins.eval builtins.execfile runpy.run_path code.interact',
      'pickle.loads pickle.load cPickle.loads dill.loads cloudpickle.loads joblib.load',
      'yaml.unsafe_load types.FunctionType marshal.load',
    ],
    { sink: 'execute' },
  ),
  ...rows(['builtins.compile'], { returns: 0 }),
  ...rows(['types.CodeType'], { returns: 0 }),
  ...rows(['marshal.loads'], { source: DECODED }),
]);

/** The functions of an HTTP client, one for each HTTP method. */
const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'request'];

/** By canonical name. */
const NETWORK_APIS: ApiTable = new Map([
  ...rows(
    [
      ...methodsOf(['requests', 'requests.Session', '$session', 'cloudscraper']),
      ...methodsOf(['httpx', 'httpx.Client', 'httpx.AsyncClient']),
      ...methodsOf(['urllib3.PoolManager', 'aiohttp.ClientSession']),
      'curl_cffi.requests.get curl_cffi.requests.post wget.download urllib3.request',
      'urllib.request.urlopen urllib2.urlopen urllib.urlopen urllib.request.URLopener.open',
    ],
    { sink: 'send', keyword: 'url', source: FETCHED, result: '$response' },
  ),
  ...rows(['requests.request requests.Session.request httpx.request $session.request'], {
    sink: 'send',
    operand: 1,
    keyword: 'url',
    source: FETCHED,
    result: '$response',
  }),
  ...rows(['urllib.request.urlretrieve urllib.urlretrieve'], {
    sink: 'send',
    keyword: 'url',
    source: FETCHED,
  }),
  ...rows(
    [
      'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession',
      'urllib3.PoolManager cloudscraper.create_scraper',
    ],
    { result: '$session', keyword: 'base_url' },
  ),
  ...rows(
    [
      'urllib.request.Request urllib.request.ProxyHandler urllib.request.build_opener',
      'urllib2.Request',
    ],
    { returns: 0 },
  ),
  ...rows(
    [
      'discord_webhook.DiscordWebhook dhooks.Webhook dhooks.Webhook.Async',
      'discord.SyncWebhook.from_url discord.Webhook.from_url',
    ],
    { sink: 'send', keyword: 'url', result: '$webhook' },
  ),
  ...rows(
    ['$webhook.send $webhook.execute $webhook.add_embed $webhook.add_file', '$webhook.set_content'],
    { sink: 'send', isOnTarget: true },
  ),
  ...rows(['telebot.TeleBot telegram.Bot aiogram.Bot telepot.Bot'], { result: '$telegram' }),
  ...rows(['$telegram.$any'], { sink: 'send', host: 'https://api.telegram.org/bot' }),
  ...rows(['slack_sdk.WebClient slack.WebClient slack_sdk.webhook.WebhookClient'], {
    result: '$slack',
  }),
  ...rows(['$slack.$any'], { sink: 'send', host: 'https://hooks.slack.com/' }),
  ...rows(['github.Github github3.login gitlab.Gitlab'], { result: '$cloud' }),
  ...rows(['$cloud.$any'], { sink: 'send', host: 'https://api.github.com/', result: '$cloud' }),
  ...rows(['firebase_admin.db.reference firebase_admin.firestore.client pyrebase.initialize_app'], {
    result: '$firebase',
  }),
  ...rows(['$firebase.$any'], {
    sink: 'send',
    host: 'https://firebaseio.com/',
    result: '$firebase',
  }),
  ...rows(
    ['sentry_sdk.set_context sentry_sdk.set_extra sentry_sdk.set_tag sentry_sdk.capture_message'],
    { sink: 'send', host: 'https://sentry.io/' },
  ),
  ...rows(['xmlrpc.client.ServerProxy xmlrpclib.ServerProxy'], { result: '$rpc' }),
  ...rows(['$rpc.$any'], { sink: 'send', isOnTarget: true }),
  ...rows(['logging.getLogger'], { isDeep: true, result: '$logger' }),
  ...rows(['logging.config.dictConfig logging.basicConfig'], { isDeep: true }),
  ...rows(
    ['logging.handlers.HTTPHandler logging.handlers.SocketHandler logging_loki.LokiHandler'],
    { isDeep: true, keyword: 'host', result: '$logger' },
  ),
  ...rows(['$logger.addHandler'], { isDeep: true }),
  ...rows(['$logger.$any'], { sink: 'send', isOnTarget: true }),
  ...rows(['email.message.EmailMessage email.mime.multipart.MIMEMultipart'], {
    result: '$message',
  }),
  ...rows(
    [
      'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection',
      'httplib.HTTPConnection',
    ],
    { sink: 'send', source: FETCHED, result: '$http' },
  ),
  ...rows(['$http.request'], { sink: 'send', isOnTarget: true, source: FETCHED }),
  ...rows(['socket.socket socket.create_connection ssl.wrap_socket'], {
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['$socket.connect $socket.connect_ex'], { sink: 'send' }),
  ...rows(['$socket.send $socket.sendall $socket.sendto'], { sink: 'send', isOnTarget: true }),
  ...rows(['$socket.recv $socket.recvfrom'], { source: FETCHED }),
  ...rows(['$socket.fileno'], { source: FETCHED, result: '$socketfile' }),
  ...rows(['os.dup2'], { sink: 'feed', operand: 0 }),
  ...rows(['websocket.WebSocket websocket.create_connection websockets.connect'], {
    sink: 'send',
    source: FETCHED,
    result: '$socket',
  }),
  ...rows(['smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP paramiko.SSHClient'], {
    sink: 'send',
    keyword: 'host',
    result: '$mailer',
  }),
  ...rows(['$mailer.sendmail $mailer.send_message $mailer.storbinary'], {
    sink: 'send',
    isOnTarget: true,
  }),
  ...rows(
    [
      'socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex dns.resolver.resolve',
      'dns.resolver.query',
    ],
    { sink: 'resolve', source: FETCHED },
  ),
]);

function methodsOf(clients: readonly string[]): string[] {
  return clients.flatMap((client) => HTTP_METHODS.map((method) => `${client}.${method}`));
}

/** By canonical name. */
const FILE_APIS: ApiTable = new Map([
  ...rows(
    [
      'builtins.open io.open codecs.open pathlib.Path pathlib.PosixPath aiofiles.open',
      'gzip.open os.open',
    ],
    { result: '$file', sink: 'read', keyword: 'file', source: FILE },
  ),
  ...rows(['$file.read_text $file.read_bytes $file.open'], {
    sink: 'read',
    isOnTarget: true,
    source: FILE,
  }),
  ...rows(['$file.write $file.write_text $file.write_bytes $file.writelines'], {
    sink: 'write',
    isOnTarget: true,
  }),
  ...rows(['$file.unlink $file.rmdir'], { sink: 'delete', isOnTarget: true }),
  ...rows(['os.listdir os.walk os.scandir glob.glob'], { sink: 'read', source: FILE }),
  ...rows(['sqlite3.connect'], { sink: 'read', source: FILE }),
  ...rows(['zipfile.ZipFile tarfile.open'], { sink: 'read', result: '$archive' }),
  ...rows(['plistlib.dump'], { sink: 'write', operand: 1, content: 0 }),
  ...rows(['$archive.add $archive.write $archive.writestr'], { sink: 'write', packs: true }),
  ...rows(['shutil.make_archive'], { sink: 'write', operand: 0, packs: true, returns: 0 }),
  ...rows(['shutil.unpack_archive'], { sink: 'write', operand: 1, content: 9 }),
  ...rows(['$archive.extractall $archive.extract'], {
    sink: 'write',
    keyword: 'path',
    isOwnContent: true,
  }),
  ...rows(
    [
      'shutil.copy shutil.copyfile shutil.copy2 shutil.copytree shutil.move',
      'os.rename os.replace os.symlink os.link',
    ],
    { sink: 'write', operand: 1, content: 0, packs: true },
  ),
  ...rows(['tempfile.NamedTemporaryFile'], { result: '$file' }),
  ...rows(['io.BytesIO io.StringIO'], { result: '$buffer' }),
  ...rows(
    [
      'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey',
      '_winreg.CreateKey',
    ],
    { returns: 1 },
  ),
  ...rows(['winreg.SetValueEx winreg.SetValue _winreg.SetValueEx'], { sink: 'write', content: 4 }),
  ...rows(['os.remove os.unlink os.rmdir os.removedirs', 'shutil.rmtree'], { sink: 'delete' }),
  ...rows(['os.chmod'], { sink: 'chmod' }),
]);

/** By canonical name. */
export const PYTHON_APIS: ApiTable = new Map([
  ...PROCESS_APIS,
  ...NETWORK_APIS,
  ...FILE_APIS,
  ...DATA_APIS,
]);

/** Names whose value is a source without a call. */
export const PYTHON_SOURCES: ReadonlyMap<string, SourceName> = new Map([
  [WALLET_SOURCE, [WALLET_KEY, WALLET_SOURCE]],
  ['os.environ', [ENVIRONMENT, 'os.environ']],
  ['os.environb', [ENVIRONMENT, 'os.environ']],
  ['builtins.__file__', [LOCATION, '__file__']],
]);

/** Names that code may use without an import. */
export const PYTHON_BUILTINS: ReadonlySet<string> = new Set(
  wordsOf([
    // Execute and load code.
    'exec eval compile execfile __import__ __builtins__ __file__',
    // Reach names by their text.
    'getattr setattr globals locals vars hasattr',
    // Create and convert values.
    'chr ord str bytes bytearray memoryview dict list tuple repr len int float bool type id hash',
    // Iterate.
    'iter sorted reversed range map filter enumerate zip',
    // Files and the terminal.
    'open print input isinstance',
  ]),
);
