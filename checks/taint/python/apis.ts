/** The interfaces of Python's library and of its most used packages, by canonical name. */
import type { ApiTable } from '../api.ts';
import { rows } from '../api.ts';
import {
  CLIPBOARD,
  CREDENTIAL,
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

const VERBS = 'get post put patch delete head request';
const METHODS = (of: string): string =>
  VERBS.split(' ')
    .map((v) => `${of}.${v}`)
    .join(' ');

export const PYTHON_APIS: ApiTable = new Map([
  ...rows(
    'os.system os.popen subprocess.Popen subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.getoutput subprocess.getstatusoutput commands.getoutput pty.spawn os.startfile asyncio.create_subprocess_shell asyncio.create_subprocess_exec distutils.spawn.spawn pexpect.spawn sh.bash win32api.ShellExecute win32api.WinExec',
    { action: 'spawn', keyword: 'args', gives: OUTPUT, result: '$child' },
  ),
  ...rows('os.execl os.execle os.execlp os.execv os.execve os.execvp os.spawnl os.spawnv', {
    action: 'spawn',
    operand: 0,
  }),
  ...rows(
    'ctypes.windll.kernel32.CreateThread ctypes.windll.kernel32.CreateRemoteThread ctypes.windll.kernel32.QueueUserAPC ctypes.windll.kernel32.WriteProcessMemory ctypes.windll.kernel32.RtlMoveMemory ctypes.windll.ntdll.NtCreateThreadEx ctypes.windll.kernel32.EnumSystemLocalesA',
    { action: 'inject' },
  ),
  ...rows('ctypes.windll.shell32.ShellExecuteW', { action: 'spawn', operand: 2 }),
  ...rows('$child.communicate $child.stdin.write', {
    action: 'feed',
    isOnTarget: true,
    gives: OUTPUT,
  }),
  ...rows(
    'builtins.exec builtins.eval builtins.execfile runpy.run_path code.interact pickle.loads pickle.load cPickle.loads dill.loads cloudpickle.loads joblib.load yaml.unsafe_load types.FunctionType marshal.load',
    { action: 'execute' },
  ),
  ...rows('builtins.compile', { same: 0 }),
  ...rows('types.CodeType', { same: 0 }),
  ...rows('marshal.loads', { gives: DECODED }),
  ...rows(
    `${METHODS('requests')} ${METHODS('httpx')} ${METHODS('requests.Session')} ${METHODS('urllib3.PoolManager')} ${METHODS('aiohttp.ClientSession')} ${METHODS('httpx.Client')} ${METHODS('httpx.AsyncClient')} ${METHODS('cloudscraper')} ${METHODS('$session')} curl_cffi.requests.get curl_cffi.requests.post urllib.request.urlopen urllib2.urlopen urllib.urlopen urllib3.request wget.download urllib.request.URLopener.open`,
    { action: 'send', keyword: 'url', gives: FETCHED, result: '$response' },
  ),
  ...rows('requests.request httpx.request requests.Session.request $session.request', {
    action: 'send',
    operand: 1,
    keyword: 'url',
    gives: FETCHED,
    result: '$response',
  }),
  ...rows('urllib.request.urlretrieve urllib.urlretrieve', {
    action: 'send',
    keyword: 'url',
    gives: FETCHED,
  }),
  ...rows(
    'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession urllib3.PoolManager cloudscraper.create_scraper',
    { result: '$session' },
  ),
  ...rows(
    'urllib.request.Request urllib2.Request urllib.request.ProxyHandler urllib.request.build_opener',
    { same: 0 },
  ),
  ...rows(
    'discord_webhook.DiscordWebhook dhooks.Webhook discord.SyncWebhook.from_url discord.Webhook.from_url dhooks.Webhook.Async',
    { action: 'send', keyword: 'url', result: '$webhook' },
  ),
  ...rows(
    '$webhook.send $webhook.execute $webhook.add_embed $webhook.add_file $webhook.set_content',
    { action: 'send', isOnTarget: true },
  ),
  ...rows('telebot.TeleBot telegram.Bot', { result: '$webhook' }),
  ...rows('$webhook.send_message $webhook.send_document $webhook.sendMessage', {
    action: 'send',
    isOnTarget: true,
  }),
  ...rows(
    'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection httplib.HTTPConnection',
    { action: 'send', gives: FETCHED, result: '$http' },
  ),
  ...rows('$http.request', { action: 'send', isOnTarget: true, gives: FETCHED }),
  ...rows('socket.socket socket.create_connection ssl.wrap_socket', {
    gives: FETCHED,
    result: '$socket',
  }),
  ...rows('$socket.connect $socket.connect_ex', { action: 'send' }),
  ...rows('$socket.send $socket.sendall $socket.sendto', { action: 'send', isOnTarget: true }),
  ...rows('$socket.recv $socket.recvfrom', { gives: FETCHED }),
  ...rows('$socket.fileno', { gives: FETCHED, result: '$socketfile' }),
  ...rows('os.dup2', { action: 'feed', operand: 0 }),
  ...rows('websocket.WebSocket websocket.create_connection websockets.connect', {
    action: 'send',
    gives: FETCHED,
    result: '$socket',
  }),
  ...rows('smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP paramiko.SSHClient', {
    action: 'send',
    keyword: 'host',
    result: '$mailer',
  }),
  ...rows('$mailer.sendmail $mailer.send_message $mailer.storbinary', {
    action: 'send',
    isOnTarget: true,
  }),
  ...rows(
    'socket.gethostbyname socket.getaddrinfo dns.resolver.resolve dns.resolver.query socket.gethostbyname_ex',
    { action: 'resolve', gives: FETCHED },
  ),
  ...rows(
    'builtins.open io.open codecs.open pathlib.Path pathlib.PosixPath aiofiles.open gzip.open os.open',
    { result: '$file', action: 'read', keyword: 'file', gives: FILE },
  ),
  ...rows('$file.read_text $file.read_bytes $file.open', {
    action: 'read',
    isOnTarget: true,
    gives: FILE,
  }),
  ...rows('$file.write $file.write_text $file.write_bytes $file.writelines', {
    action: 'write',
    isOnTarget: true,
  }),
  ...rows('$file.unlink $file.rmdir', { action: 'delete', isOnTarget: true }),
  ...rows('os.listdir os.walk os.scandir glob.glob', { action: 'read', gives: FILE }),
  ...rows('sqlite3.connect zipfile.ZipFile tarfile.open', { action: 'read', gives: FILE }),
  ...rows(
    'shutil.copy shutil.copyfile shutil.copy2 shutil.copytree shutil.move os.rename os.replace os.symlink os.link',
    { action: 'write', operand: 1, content: 0 },
  ),
  ...rows('tempfile.NamedTemporaryFile', { result: '$file' }),
  ...rows('io.BytesIO io.StringIO', { result: '$buffer' }),
  ...rows(
    'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey _winreg.CreateKey',
    { same: 1 },
  ),
  ...rows('winreg.SetValueEx winreg.SetValue _winreg.SetValueEx', { action: 'write', content: 4 }),
  ...rows('os.remove os.unlink os.rmdir shutil.rmtree os.removedirs', { action: 'delete' }),
  ...rows('os.chmod', { action: 'chmod' }),
  ...rows(
    'base64.b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.decodestring binascii.unhexlify binascii.a2b_base64 binascii.a2b_hex bytes.fromhex builtins.bytes.fromhex bytearray.fromhex zlib.decompress gzip.decompress bz2.decompress lzma.decompress',
    { gives: DECODED },
  ),
  ...rows(
    'cryptography.fernet.Fernet Crypto.Cipher.AES.new Cryptodome.Cipher.AES.new pyaes.AESModeOfOperationCTR rsa.decrypt',
    { result: '$decipher' },
  ),
  ...rows('$decipher.decrypt $decipher.decrypt_and_verify', { gives: DECODED }),
  ...rows('codecs.decode builtins.chr', { gives: SPELLED }),
  ...rows(
    'hashlib.md5 hashlib.sha1 hashlib.sha256 hashlib.sha512 hashlib.new hashlib.blake2b hmac.new hmac.digest builtins.hash',
    { isSealed: true, result: '$hash' },
  ),
  ...rows('$hash.update $hash.hexdigest $hash.digest', { isSealed: true, result: '$hash' }),
  ...rows(
    'builtins.len builtins.int builtins.float builtins.bool builtins.isinstance builtins.hasattr os.path.exists os.path.isfile os.path.isdir os.makedirs os.mkdir time.time builtins.range builtins.type builtins.id builtins.print',
    { isSealed: true },
  ),
  ...rows('socket.gethostname platform.node socket.getfqdn', { gives: HOST_NAME, isSealed: true }),
  ...rows('getpass.getuser os.getlogin pwd.getpwuid os.getuid win32api.GetUserName', {
    gives: USER_NAME,
    isSealed: true,
  }),
  ...rows('os.getcwd pathlib.Path.home pathlib.Path.cwd', { gives: LOCATION, isSealed: true }),
  ...rows('platform.uname os.uname', { gives: HOST_NAME, isSealed: true }),
  ...rows('platform.platform platform.system platform.release platform.machine platform.version', {
    gives: SYSTEM,
    isSealed: true,
  }),
  ...rows('uuid.getnode psutil.net_if_addrs netifaces.interfaces', {
    gives: NETWORK_ADDRESS,
    isSealed: true,
  }),
  ...rows(
    'pyperclip.paste win32clipboard.GetClipboardData clipboard.paste tkinter.Tk.clipboard_get',
    { gives: CLIPBOARD, isSealed: true },
  ),
  ...rows(
    'PIL.ImageGrab.grab ImageGrab.grab pyautogui.screenshot mss.mss mss.grab pyscreenshot.grab',
    { gives: SCREEN, isSealed: true },
  ),
  ...rows(
    'pynput.keyboard.Listener keyboard.on_press keyboard.on_release keyboard.hook keyboard.record keyboard.read_key keyboard.read_event',
    { gives: KEYBOARD, isSealed: true },
  ),
  ...rows(
    'browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.load browser_cookie3.edge browser_cookie3.brave win32crypt.CryptUnprotectData',
    { gives: CREDENTIAL, isSealed: true },
  ),
  ...rows(
    'builtins.str builtins.bytes builtins.bytearray builtins.memoryview builtins.dict builtins.list builtins.tuple builtins.repr builtins.iter builtins.sorted builtins.reversed urllib.parse.quote urllib.parse.urlencode json.dumps json.loads os.path.abspath os.path.expanduser os.path.expandvars os.fspath builtins.enumerate textwrap.dedent',
    { same: 0 },
  ),
  ...rows(
    'os.getenv os.environ.get os.environ.pop os.environ.setdefault os.getenvb decouple.config environs.Env.str',
    { action: 'variable' },
  ),
]);

export const PYTHON_SOURCES: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['os.environ', [1, 'os.environ']],
  ['os.environb', [1, 'os.environ']],
  ['builtins.__file__', [LOCATION, '__file__']],
]);

const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/^(?:__builtin__|__builtins__|builtins\.__builtins__|builtins\.builtins)(?=\.|$)/, 'builtins'],
  [/^builtins\.(?=(?:os|subprocess|sys|base64|zlib|requests|socket|urllib|marshal)\b)/, ''],
  [/^Crypto\.Cipher\.(\w+)\.AES/, 'Crypto.Cipher.$1.AES'],
  [/^fernet\.Fernet$/, 'cryptography.fernet.Fernet'],
  [/^(?:urllib\.request|requests)\.(?:requests|request)\.(?=urlopen)/, 'urllib.request.'],
  [/^requests\.(?:api|sessions)\./, 'requests.'],
  [/^shutil\._?shutil\./, 'shutil.'],
];

/** One name for the many ways to spell it. */
export function canonicalPython(name: string): string {
  let canonical = name;
  for (const [pattern, by] of RENAMED) canonical = canonical.replace(pattern, by);
  return canonical;
}

/** Names that are there without an import. */
export const PYTHON_BUILTINS: ReadonlySet<string> = new Set(
  'exec eval compile execfile open chr ord str bytes bytearray memoryview dict list tuple repr iter sorted reversed len int float bool isinstance hasattr range type id print getattr setattr globals locals vars __import__ __builtins__ map filter hash enumerate __file__ zip input'.split(
    ' ',
  ),
);
