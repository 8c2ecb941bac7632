/** Python APIs that decode data or read about the machine and its user. */
import { rows, type ApiTable } from '../api.ts';
import {
  CLIPBOARD,
  CREDENTIAL,
  DECODED,
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

/** By canonical name. */
export const DATA_APIS: ApiTable = new Map([
  ...rows(
    [
      'base64.b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode',
      'base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes',
      'base64.decodestring',
      'binascii.unhexlify binascii.a2b_base64 binascii.a2b_hex bytes.fromhex',
      'builtins.bytes.fromhex bytearray.fromhex zlib.decompress gzip.decompress',
      'bz2.decompress lzma.decompress',
    ],
    { source: DECODED },
  ),
  ...rows(
    [
      'cryptography.fernet.Fernet Crypto.Cipher.AES.new Cryptodome.Cipher.AES.new',
      'pyaes.AESModeOfOperationCTR rsa.decrypt',
    ],
    { result: '$decipher' },
  ),
  ...rows(['$decipher.decrypt $decipher.decrypt_and_verify'], { source: DECODED }),
  ...rows(['codecs.decode builtins.chr'], { source: SPELLED }),
  ...rows(
    [
      'hashlib.md5 hashlib.sha1 hashlib.sha256 hashlib.sha512 hashlib.new hashlib.blake2b',
      'hmac.new hmac.digest builtins.hash',
    ],
    { isSanitizer: true, result: '$hash' },
  ),
  ...rows(['$hash.update $hash.hexdigest $hash.digest'], { isSanitizer: true, result: '$hash' }),
  ...rows(
    [
      'builtins.len builtins.int builtins.float builtins.bool builtins.isinstance',
      'builtins.hasattr builtins.range builtins.type builtins.id builtins.print',
      'os.path.exists os.path.isfile os.path.isdir os.makedirs os.mkdir',
      'time.time',
    ],
    { isSanitizer: true },
  ),
  ...rows(['socket.gethostname socket.getfqdn platform.node'], {
    source: HOST_NAME,
    isSanitizer: true,
  }),
  ...rows(['getpass.getuser os.getlogin os.getuid pwd.getpwuid win32api.GetUserName'], {
    source: USER_NAME,
    isSanitizer: true,
  }),
  ...rows(['os.getcwd pathlib.Path.home pathlib.Path.cwd'], {
    source: LOCATION,
    isSanitizer: true,
  }),
  ...rows(['platform.uname os.uname'], { source: HOST_NAME, isSanitizer: true }),
  ...rows(
    ['platform.platform platform.system platform.release platform.machine platform.version'],
    { source: SYSTEM, isSanitizer: true },
  ),
  ...rows(['uuid.getnode psutil.net_if_addrs netifaces.interfaces'], {
    source: NETWORK_ADDRESS,
    isSanitizer: true,
  }),
  ...rows(
    ['pyperclip.paste win32clipboard.GetClipboardData clipboard.paste', 'tkinter.Tk.clipboard_get'],
    { source: CLIPBOARD, isSanitizer: true },
  ),
  ...rows(
    [
      'PIL.ImageGrab.grab ImageGrab.grab pyautogui.screenshot mss.mss mss.grab',
      'pyscreenshot.grab',
    ],
    { source: SCREEN, isSanitizer: true },
  ),
  ...rows(
    [
      'pynput.keyboard.Listener',
      'keyboard.on_press keyboard.on_release keyboard.hook keyboard.record keyboard.read_key',
      'keyboard.read_event',
    ],
    { source: KEYBOARD, isSanitizer: true },
  ),
  ...rows(
    [
      'browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.load',
      'browser_cookie3.edge browser_cookie3.brave',
      'win32crypt.CryptUnprotectData',
    ],
    { source: CREDENTIAL, isSanitizer: true },
  ),
  ...rows(['keyring.get_password keyring.get_credential'], { source: OUTPUT, isSanitizer: true }),
  ...rows(
    [
      'builtins.str builtins.bytes builtins.bytearray builtins.memoryview builtins.dict',
      'builtins.list builtins.tuple builtins.repr builtins.iter builtins.sorted',
      'builtins.reversed builtins.enumerate',
      'urllib.parse.quote urllib.parse.urlencode json.dumps json.loads',
      'os.path.abspath os.path.expanduser os.path.expandvars os.fspath',
      'textwrap.dedent',
    ],
    { returns: 0 },
  ),
  ...rows(
    [
      'os.getenv os.environ.get os.environ.pop os.environ.setdefault os.getenvb',
      'decouple.config environs.Env.str',
    ],
    { sink: 'variable' },
  ),
]);
