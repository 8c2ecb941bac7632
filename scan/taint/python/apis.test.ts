import { describe, expect, it } from 'vitest';
import { canonicalPython } from '../interpreter/names.ts';
import { PYTHON_APIS, PYTHON_BUILTINS, PYTHON_SOURCES } from './apis.ts';
import { apiProblems } from '../../../tests/taint/api-problems.ts';

describe('PYTHON_APIS', () => {
  it('has well-formed entries under canonical names', () => {
    expect(apiProblems(PYTHON_APIS, canonicalPython)).toEqual([]);
  });

  it.each([
    ['subprocess.run', 'spawn'],
    ['builtins.exec', 'execute'],
    ['requests.post', 'send'],
    ['httpx.AsyncClient.delete', 'send'],
    ['socket.gethostbyname', 'resolve'],
    ['builtins.open', 'read'],
    ['shutil.copy', 'write'],
    ['shutil.rmtree', 'delete'],
    ['os.chmod', 'chmod'],
    ['os.getenv', 'variable'],
    ['ctypes.windll.kernel32.CreateThread', 'inject'],
  ])('%s is a sink: %s', (name, sink) => {
    expect(PYTHON_APIS.get(name)?.sink).toBe(sink);
  });

  it('names builtins that are builtins', () => {
    const names = [...PYTHON_APIS.keys()].filter((n) => /^builtins\.\w+$/.test(n));
    expect(names.filter((n) => !PYTHON_BUILTINS.has(n.slice('builtins.'.length)))).toEqual([]);
  });
});

describe('PYTHON_SOURCES', () => {
  it('has one label and canonical names', () => {
    for (const [name, [label]] of PYTHON_SOURCES) {
      expect(canonicalPython(name)).toBe(name);
      expect(Math.log2(label) % 1).toBe(0);
    }
  });
});
