import { describe, expect, it } from 'vitest';
import { irOf } from '../../tests/taint/ir-text.ts';
import type { Fact } from './fact.ts';
import { NOTHING, UNKNOWN, textValue } from './value.ts';
import { embeddedModules } from './embedded.ts';

function fact(action: Fact['action'], text: string, path = 'a.js'): Fact {
  const operand = textValue(text);
  const api = 'x';
  return {
    action,
    path,
    at: 7,
    end: 9,
    api,
    operand,
    content: NOTHING,
    isLarge: false,
    args: [operand],
  };
}

function languages(...facts: Fact[]): string[] {
  return embeddedModules(facts).map((m) => m.language);
}

describe('embeddedModules()', () => {
  it.each([
    ['execute', "fetch('http://a.io/' + x)", ['javascript']],
    ['execute', 'import os\nos.system("id")', ['python']],
    ['write', "require('child_process').exec('id')", ['javascript']],
    ['write', 'some text without any code', []],
    ['spawn', "node -e \"require('fs').rmSync('a')\"", ['javascript']],
    ['spawn', "python3 -c 'import os; os.system(1)'", ['python']],
    ['spawn', 'curl http://a.io/some/script.sh', []],
    ['send', "fetch('http://a.io/' + x)", []],
    ['execute', 'fetch(x)', []],
    ['execute', 'fetch( this is no code at all', []],
  ] as const)('%s of %j: %j', (action, text, expected) => {
    expect(languages(fact(action, text))).toEqual(expected);
  });

  it('reads the code of a Python file as Python', () => {
    expect(languages(fact('execute', 'print(open("a").read())', 'a.py'))).toEqual(['python']);
  });

  it('gives every expression the place of the text, also in functions', () => {
    const [module] = embeddedModules([fact('execute', 'function f() { return fetch(x.y) } f()')]);
    const places: unknown[] = [];
    JSON.stringify([module?.body, module?.funcs[0]?.body], (_, value) => {
      if (typeof value === 'object' && value !== null && 'op' in value) {
        places.push(`${(value as Fact).at} ${(value as Fact).end}`);
      }
      return value as unknown;
    });
    expect(places.length).toBeGreaterThan(4);
    expect(new Set(places)).toEqual(new Set(['7 9']));
    expect(module?.path).toBe('a.js');
  });

  it('reads an unknown part as a number', () => {
    const [module] = embeddedModules([fact('execute', `fetch('http://a.io', ${UNKNOWN})`)]);
    expect(irOf(module!)).toEqual(['@fetch("http://a.io", "0")']);
  });

  it('reads the same text once, and 400,000 characters in all', () => {
    const code = "fetch('http://a.io/' + x)";
    expect(languages(fact('execute', code), fact('write', code))).toHaveLength(1);
    const facts = Array.from({ length: 6 }, (_, n) => ({
      ...fact('execute', ''),
      operand: { ...NOTHING, texts: [`fetch('${n}');${'x;'.repeat(45_000)}`] },
    }));
    expect(languages(...facts)).toHaveLength(4);
  });

  it('reads code that is nested deeply', () => {
    const text = `fetch(${'['.repeat(9_000)}${']'.repeat(9_000)})`;
    expect(languages(fact('execute', text))).toEqual(['javascript']);
  });
});
