import { describe, expect, it } from 'vitest';
import { canonicalJavaScript } from '../interpreter/names.ts';
import { JAVASCRIPT_APIS, JAVASCRIPT_SOURCES } from './apis.ts';
import { apiProblems } from '../../../tests/taint/api-problems.ts';

describe('JAVASCRIPT_APIS', () => {
  it('has well-formed entries under canonical names', () => {
    expect(apiProblems(JAVASCRIPT_APIS, canonicalJavaScript)).toEqual([]);
  });

  it.each([
    ['child_process.exec', 'spawn'],
    ['eval', 'execute'],
    ['fetch', 'send'],
    ['dns.lookup', 'resolve'],
    ['fs.readFile', 'read'],
    ['fs.writeFile', 'write'],
    ['fs.rm', 'delete'],
    ['fs.chmod', 'chmod'],
    ['Deno.env.get', 'variable'],
    ['$child.stdin.write', 'feed'],
  ])('%s is a sink: %s', (name, sink) => {
    expect(JAVASCRIPT_APIS.get(name)?.sink).toBe(sink);
  });
});

describe('JAVASCRIPT_SOURCES', () => {
  it('has one label and canonical names', () => {
    for (const [name, [label, what]] of JAVASCRIPT_SOURCES) {
      expect(canonicalJavaScript(name)).toBe(name);
      expect(Math.log2(label) % 1).toBe(0);
      expect(what).toBe(name);
    }
  });
});
