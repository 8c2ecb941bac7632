/** The APIs of Python, its platforms and most used packages, and its names that are sources. */
import { HTTP_METHODS, rows, WALLET_SOURCE, type ApiTable, type SourceName } from '../api.ts';
import { wordsOf } from '../../parse/word-list.ts';
import { ENVIRONMENT, LOCATION, FILE, OUTPUT, FETCHED, WALLET_KEY } from '../label.ts';
import { DATA_APIS } from './data-apis.ts';

/** By canonical name. */
const PROCESS_APIS: ApiTable = new Map([
  ...rows({ sink: 'spawn', keyword: 'args', source: OUTPUT, result: '$child' }, [
    'os.system os.popen os.startfile',
    'subprocess.Popen subprocess.run subprocess.call subprocess.check_call',
    'subprocess.check_output subprocess.getoutput subprocess.getstatusoutput',
    'commands.getoutput pty.spawn asyncio.create_subprocess_shell',
    'asyncio.create_subprocess_exec distutils.spawn.spawn pexpect.spawn sh.bash',
    'win32api.ShellExecute win32api.WinExec',
  ]),
  ...rows({ sink: 'spawn' }, [
    'os.execl os.execle os.execlp os.execv os.execve os.execvp os.spawnl os.spawnv',
  ]),
  ...rows({ sink: 'inject' }, [
    'ctypes.windll.kernel32.CreateThread ctypes.windll.kernel32.CreateRemoteThread',
    'ctypes.windll.kernel32.QueueUserAPC ctypes.windll.kernel32.WriteProcessMemory',
    'ctypes.windll.kernel32.RtlMoveMemory ctypes.windll.ntdll.NtCreateThreadEx',
    'ctypes.windll.kernel32.EnumSystemLocalesA',
  ]),
  ...rows({ sink: 'spawn', operand: 2 }, ['ctypes.windll.shell32.ShellExecuteW']),
  ...rows({ sink: 'feed', isOnTarget: true, source: OUTPUT }, [
    '$child.communicate $child.stdin.write',
  ]),
  ...rows({ sink: 'execute' }, [
    'builtins.exec builtins.eval builtins.execfile runpy.run_path code.interact',
    'pickle.loads pickle.load cPickle.loads dill.loads cloudpickle.loads joblib.load',
    'yaml.unsafe_load types.FunctionType marshal.load',
  ]),
]);

/** Each has a function for each HTTP method. */
const HTTP_CLIENTS = wordsOf([
  'requests requests.Session $session cloudscraper httpx httpx.Client httpx.AsyncClient',
  'urllib3.PoolManager aiohttp.ClientSession',
]);

/** By canonical name. */
const NETWORK_APIS: ApiTable = new Map([
  ...rows({ sink: 'send', keyword: 'url', source: FETCHED, result: '$response' }, [
    ...HTTP_CLIENTS.flatMap((client) => HTTP_METHODS.map((method) => `${client}.${method}`)),
    'curl_cffi.requests.get curl_cffi.requests.post urllib3.request',
    'urllib.request.urlopen urllib2.urlopen urllib.urlopen urllib.request.URLopener.open',
  ]),
  ...rows({ sink: 'send', operand: 1, keyword: 'url', source: FETCHED, result: '$response' }, [
    'requests.request requests.Session.request httpx.request $session.request',
    'requests.Session.send',
  ]),
  ...rows({ sink: 'send', source: FETCHED, result: '$response' }, ['$session.send']),
  ...rows({ returns: 1 }, ['requests.Request']),
  ...rows({ sink: 'send', keyword: 'url', content: 3, source: FETCHED }, [
    'urllib.request.urlretrieve urllib.urlretrieve wget.download',
  ]),
  ...rows({ result: '$session', keyword: 'base_url' }, [
    'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession',
    'urllib3.PoolManager cloudscraper.create_scraper',
  ]),
  ...rows({ sink: 'send', keyword: 'url', result: '$webhook' }, [
    'discord_webhook.DiscordWebhook dhooks.Webhook dhooks.Webhook.Async',
    'discord.SyncWebhook.from_url discord.Webhook.from_url',
  ]),
  ...rows({ sink: 'send', isOnTarget: true }, [
    '$webhook.send $webhook.execute $webhook.add_embed $webhook.add_file $webhook.set_content',
    '$rpc.$any $logger.$any $socket.send $socket.sendall $socket.sendto',
    '$mailer.sendmail $mailer.send_message $mailer.storbinary',
  ]),
  ...rows({ result: '$telegram' }, ['telebot.TeleBot telegram.Bot aiogram.Bot telepot.Bot']),
  ...rows({ sink: 'send', host: 'https://api.telegram.org/bot' }, ['$telegram.$any']),
  ...rows({ result: '$slack' }, [
    'slack_sdk.WebClient slack.WebClient slack_sdk.webhook.WebhookClient',
  ]),
  ...rows({ sink: 'send', host: 'https://hooks.slack.com/' }, ['$slack.$any']),
  ...rows({ result: '$cloud' }, ['github.Github github3.login gitlab.Gitlab']),
  ...rows({ sink: 'send', host: 'https://api.github.com/', result: '$cloud' }, ['$cloud.$any']),
  ...rows({ result: '$firebase' }, [
    'firebase_admin.db.reference firebase_admin.firestore.client pyrebase.initialize_app',
  ]),
  ...rows({ sink: 'send', host: 'https://firebaseio.com/', result: '$firebase' }, [
    '$firebase.$any',
  ]),
  ...rows({ sink: 'send', host: 'https://sentry.io/' }, [
    'sentry_sdk.set_context sentry_sdk.set_extra sentry_sdk.set_tag sentry_sdk.capture_message',
  ]),
  ...rows({ result: '$rpc' }, ['xmlrpc.client.ServerProxy xmlrpclib.ServerProxy']),
  ...rows({ isDeep: true, result: '$logger' }, ['logging.getLogger']),
  ...rows({ isDeep: true }, ['logging.config.dictConfig logging.basicConfig $logger.addHandler']),
  ...rows({ isDeep: true, keyword: 'host', result: '$logger' }, [
    'logging.handlers.HTTPHandler logging.handlers.SocketHandler logging_loki.LokiHandler',
  ]),
  ...rows({ result: '$message' }, [
    'email.message.EmailMessage email.mime.multipart.MIMEMultipart',
  ]),
  ...rows({ sink: 'send', source: FETCHED, result: '$http' }, [
    'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection',
    'httplib.HTTPConnection',
  ]),
  ...rows({ sink: 'send', isOnTarget: true, source: FETCHED }, ['$http.request']),
  ...rows({ source: FETCHED, result: '$socket' }, [
    'socket.socket socket.create_connection ssl.wrap_socket',
  ]),
  ...rows({ sink: 'send' }, ['$socket.connect $socket.connect_ex']),
  ...rows({ source: FETCHED }, ['$socket.recv $socket.recvfrom']),
  ...rows({ source: FETCHED, result: '$socketfile' }, ['$socket.fileno']),
  ...rows({ sink: 'feed' }, ['os.dup2']),
  ...rows({ sink: 'send', source: FETCHED, result: '$socket' }, [
    'websocket.WebSocket websocket.create_connection websockets.connect',
  ]),
  ...rows({ sink: 'send', keyword: 'host', result: '$mailer' }, [
    'smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP paramiko.SSHClient',
  ]),
  ...rows({ sink: 'resolve', source: FETCHED }, [
    'socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex dns.resolver.resolve',
    'dns.resolver.query',
  ]),
]);

/** By canonical name. */
const FILE_APIS: ApiTable = new Map([
  ...rows({ result: '$file', sink: 'read', keyword: 'file', source: FILE }, [
    'builtins.open io.open codecs.open aiofiles.open gzip.open os.open',
  ]),
  ...rows({ result: '$file', sink: 'read', joins: true, source: FILE }, [
    'pathlib.Path pathlib.PosixPath pathlib.WindowsPath',
  ]),
  ...rows({ sink: 'read', isOnTarget: true, source: FILE }, ['$file.read_text $file.read_bytes']),
  ...rows({ result: '$file', sink: 'read', isOnTarget: true, source: FILE }, ['$file.open']),
  ...rows({ sink: 'read', isOnTarget: true, joins: true, source: FILE }, [
    '$file.glob $file.rglob $file.iterdir',
  ]),
  ...rows({ sink: 'write', isOnTarget: true }, [
    '$file.write $file.write_text $file.write_bytes $file.writelines',
  ]),
  ...rows({ sink: 'delete', isOnTarget: true }, ['$file.unlink $file.rmdir']),
  ...rows({ sink: 'read', source: FILE }, [
    'os.listdir os.walk os.scandir glob.glob glob.iglob sqlite3.connect PIL.Image.open',
  ]),
  ...rows({ sink: 'read', result: '$archive' }, ['zipfile.ZipFile tarfile.open']),
  ...rows({ sink: 'write', operand: 1, content: 0 }, [
    'plistlib.dump json.dump pickle.dump yaml.dump yaml.safe_dump',
  ]),
  ...rows({ sink: 'write', content: 1 }, ['os.write']),
  ...rows({ returns: 0, result: '$file' }, ['os.fdopen']),
  ...rows({ sink: 'write', packs: true }, ['$archive.add $archive.write $archive.writestr']),
  ...rows({ sink: 'write', operand: 0, packs: true, returns: 0 }, ['shutil.make_archive']),
  ...rows({ sink: 'write', operand: 1, content: 9 }, ['shutil.unpack_archive']),
  ...rows({ sink: 'write', keyword: 'path', isOwnContent: true }, [
    '$archive.extractall $archive.extract',
  ]),
  ...rows({ sink: 'write', operand: 1, content: 0, packs: true }, [
    'shutil.copy shutil.copyfile shutil.copy2 shutil.copytree shutil.move',
    'os.rename os.replace os.symlink os.link',
  ]),
  ...rows({ result: '$file', joins: true }, [
    'tempfile.NamedTemporaryFile tempfile.mkstemp tempfile.mktemp tempfile.mkdtemp',
  ]),
  ...rows({ result: '$buffer' }, ['io.BytesIO io.StringIO']),
  ...rows({ returns: 1 }, [
    'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey',
    '_winreg.CreateKey',
  ]),
  ...rows({ sink: 'write', content: 4 }, ['winreg.SetValueEx winreg.SetValue _winreg.SetValueEx']),
  ...rows({ sink: 'delete' }, ['os.remove os.unlink os.rmdir os.removedirs', 'shutil.rmtree']),
  ...rows({ sink: 'chmod' }, ['os.chmod']),
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
