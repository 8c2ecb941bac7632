import { describe, expect, it } from 'vitest';
import { lowerJavaScriptText, lowerPythonText } from '../../../tests/taint/ir-text.ts';
import { ENVIRONMENT } from '../label.ts';
import { NOTHING, UNKNOWN } from '../value.ts';
import { globalValue, memberOfApi, canonicalPython } from './names.ts';

const JAVASCRIPT = lowerJavaScriptText('');
const PYTHON = lowerPythonText('');

describe('globalValue()', () => {
  it.each([
    [JAVASCRIPT, 'eval', 'eval'],
    [JAVASCRIPT, 'exec', 'exec'],
    [JAVASCRIPT, 'globalThis', '$globals'],
    [JAVASCRIPT, 'window', '$globals'],
    [PYTHON, 'exec', 'builtins.exec'],
    [PYTHON, 'os', 'os'],
    [PYTHON, 'window', 'window'],
    [PYTHON, '__builtins__', 'builtins'],
  ])('%#: %s', (module, name, expected) => {
    expect(globalValue(module, { op: 'global', name, at: 0, end: 1 }).names).toEqual([expected]);
  });
});

describe('memberOfApi()', () => {
  it.each([
    [JAVASCRIPT, '', 'node:fs', 'fs'],
    [JAVASCRIPT, 'fs', 'readFile', 'fs.readFile'],
    [JAVASCRIPT, '$globals', 'eval', 'eval'],
    [JAVASCRIPT, '$globals', 'window', '$globals'],
    [PYTHON, '$globals', 'eval', 'builtins.eval'],
    [PYTHON, 'builtins', 'eval', 'builtins.eval'],
  ])('%#: %s[%s]', (module, name, key, expected) => {
    expect(memberOfApi(module, name, key).names).toEqual([expected]);
  });

  it('labels names that are sources', () => {
    const value = memberOfApi(JAVASCRIPT, 'process', 'env');
    expect(value.labels).toBe(ENVIRONMENT);
    expect(value.origins[0]).toMatchObject({ path: 'a.ts', what: 'process.env' });
  });

  it.each(['', UNKNOWN, `a${UNKNOWN}`, 'a'.repeat(200)])('knows nothing of the key %j', (key) => {
    expect(memberOfApi(JAVASCRIPT, 'fs', key)).toBe(NOTHING);
  });
});

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
