/** Python APIs that decode data or read about the machine and its user. */
import { rows, type ApiTable } from '../api.ts';
import * as labels from '../label.ts';

/** By canonical name. */
export const DATA_APIS: ApiTable = new Map([
  ...rows({ source: labels.DECODED }, [
    'base64.b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode',
    'base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes',
    'base64.decodestring',
    'binascii.unhexlify binascii.a2b_base64 binascii.a2b_hex bytes.fromhex',
    'builtins.bytes.fromhex bytearray.fromhex zlib.decompress gzip.decompress',
    'bz2.decompress lzma.decompress marshal.loads $decipher.decrypt $decipher.decrypt_and_verify',
  ]),
  ...rows({ result: '$decipher' }, [
    'cryptography.fernet.Fernet Crypto.Cipher.AES.new Cryptodome.Cipher.AES.new',
    'pyaes.AESModeOfOperationCTR rsa.decrypt',
  ]),
  ...rows({ source: labels.SPELLED }, ['codecs.decode builtins.chr']),
  ...rows({ isSanitizer: true, result: '$hash' }, [
    'hashlib.md5 hashlib.sha1 hashlib.sha256 hashlib.sha512 hashlib.new hashlib.blake2b',
    'hmac.new hmac.digest builtins.hash $hash.update $hash.hexdigest $hash.digest',
  ]),
  ...rows({ isSanitizer: true }, [
    'builtins.len builtins.int builtins.float builtins.bool builtins.isinstance',
    'builtins.hasattr builtins.range builtins.type builtins.id builtins.print',
    'os.path.exists os.path.isfile os.path.isdir os.makedirs os.mkdir',
    'time.time',
  ]),
  ...rows({ source: labels.HOST_NAME, isSanitizer: true }, [
    'socket.gethostname socket.getfqdn platform.node platform.uname os.uname',
  ]),
  ...rows({ source: labels.USER_NAME, isSanitizer: true }, [
    'getpass.getuser os.getlogin os.getuid pwd.getpwuid win32api.GetUserName',
  ]),
  ...rows({ source: labels.LOCATION, isSanitizer: true }, [
    'os.getcwd pathlib.Path.home pathlib.Path.cwd',
  ]),
  ...rows({ source: labels.SYSTEM, isSanitizer: true }, [
    'platform.platform platform.system platform.release platform.machine platform.version',
  ]),
  ...rows({ source: labels.NETWORK_ADDRESS, isSanitizer: true }, [
    'uuid.getnode psutil.net_if_addrs netifaces.interfaces',
  ]),
  ...rows({ source: labels.CLIPBOARD, isSanitizer: true }, [
    'pyperclip.paste win32clipboard.GetClipboardData clipboard.paste',
    'tkinter.Tk.clipboard_get',
  ]),
  ...rows({ source: labels.SCREEN, isSanitizer: true }, [
    'PIL.ImageGrab.grab ImageGrab.grab pyautogui.screenshot mss.mss mss.grab',
    'pyscreenshot.grab',
  ]),
  ...rows({ source: labels.KEYBOARD, isSanitizer: true }, [
    'pynput.keyboard.Listener',
    'keyboard.on_press keyboard.on_release keyboard.hook keyboard.record keyboard.read_key',
    'keyboard.read_event',
  ]),
  ...rows({ source: labels.OUTPUT, isSanitizer: true }, [
    'keyring.get_password keyring.get_credential',
  ]),
  ...rows({ source: labels.CREDENTIAL, isSanitizer: true }, [
    'browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.load',
    'browser_cookie3.edge browser_cookie3.brave',
    'win32crypt.CryptUnprotectData',
  ]),
  ...rows({ returns: 0 }, [
    'builtins.str builtins.bytes builtins.bytearray builtins.memoryview builtins.dict',
    'builtins.list builtins.tuple builtins.repr builtins.iter builtins.sorted',
    'builtins.reversed builtins.enumerate builtins.compile types.CodeType',
    'urllib.request.Request urllib.request.ProxyHandler urllib.request.build_opener urllib2.Request',
    'urllib.parse.quote urllib.parse.urlencode json.dumps json.loads',
    'os.path.abspath os.path.expanduser os.path.expandvars os.fspath',
    'textwrap.dedent',
  ]),
  ...rows({ sink: 'variable' }, [
    'os.getenv os.environ.get os.environ.pop os.environ.setdefault os.getenvb',
    'decouple.config environs.Env.str',
  ]),
]);
