import { describe, expect, it } from 'vitest';
import { canonicalPython } from './canonical-name.ts';

describe('canonicalPython()', () => {
  it.each([
    ['os.system', 'os.system'],
    ['__builtin__.exec', 'builtins.exec'],
    ['__builtins__.exec', 'builtins.exec'],
    ['builtins.__builtins__.exec', 'builtins.exec'],
    ['builtins.os.system', 'os.system'],
    ['builtins.oscillate', 'builtins.oscillate'],
    ['fernet.Fernet', 'cryptography.fernet.Fernet'],
    ['requests.api.get', 'requests.get'],
    ['requests.sessions.Session', 'requests.Session'],
    ['requests.request.urlopen', 'urllib.request.urlopen'],
    ['shutil._shutil.copy', 'shutil.copy'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalPython(name)).toBe(canonical);
  });
});
