import { describe, expect, it } from 'vitest';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { readStyle } from './code-style.ts';
import { gainedBy } from './gained-capabilities.ts';
import { wireBuild } from './wire-build.ts';
import { projectOf } from '../../tests/client/wire-fixture.ts';

const fence = (info: string, text: string): string => `   ~~~ts wire ${info}\n   ${text}\n   ~~~\n`;

function wire(
  steps: string,
  files: Record<string, string>,
  previous: Parameters<typeof wireBuild>[0]['previous'] = [],
) {
  const texts = projectOf(files);
  const context = {
    home: 'src',
    rewrite: ({ text }: { text: string }) => text,
    prefixes: [],
    styleOf: () => readStyle(''),
  };
  const common = { previous, isRepeated: false, onConflict: 'fail', gainOf: gainedBy } as const;
  const { steps: parsed } = parseWiring(`## Steps\n\n${steps}`);
  const { entries } = wireBuild({ id: 'a/b', steps: parsed, context, ...common }, texts);
  return {
    entries: entries.map(({ step, action, why = '' }) => `${step} ${action} ${why}`.trim()),
    texts,
  };
}

describe('wireBuild()', () => {
  it('carries out a step completely or not at all', () => {
    const step = `1. x\n\n${fence('append a.ts list:l', 'x')}${fence('append a.ts list:m', 'x')}`;
    const { entries, texts } = wire(step, { 'a.ts': 'const l = [];\n' });
    expect(entries).toEqual(['1 by_hand it has no place "list:m"']);
    expect(texts.changes().size).toBe(0);
  });

  it('takes the first alternative that has a place, and names the reasons of all', () => {
    const step = `1. x\n\n${fence('append a.ts list:l', 'x')}\n   Otherwise:\n\n${fence('append a.ts list:m', 'x')}`;
    expect(wire(step, { 'a.ts': 'const m = [];\n' }).texts.get('a.ts')).toBe('const m = [x];\n');
    const both = wire(step, { 'a.ts': 'const l = [];\nconst m = [];\n' });
    expect(both.texts.get('a.ts')).toBe('const l = [x];\nconst m = [];\n');
    expect(wire(step, { 'a.ts': 'const o = [];\n' }).entries).toEqual([
      '1 by_hand it has no place "list:l"; otherwise: it has no place "list:m"',
    ]);
  });

  it('takes no alternative whose place is there twice', () => {
    const step = `1. x\n\n${fence('append a.ts list:l', 'x')}\n   Otherwise:\n\n${fence('append a.ts list:m', 'x')}`;
    const twice =
      'const l = [];\nfunction f() { const l = []; }\nconst m = [];\nfunction g() { const m = []; }\n';
    expect(wire(step, { 'a.ts': twice }).entries).toEqual([
      '1 by_hand it has several places "list:l"; otherwise: it has several places "list:m"',
    ]);
  });

  it('leaves to the user what imports a file that it could not create', () => {
    const steps = `1. x\n\n${fence('file b.ts', 'export const b = 1;')}\n2. y\n\n${fence('import a.ts', "import { b } from './b.js';")}`;
    expect(wire(steps, { 'a.ts': '', 'b.ts': 'other();\n' }).entries).toEqual([
      '1 by_hand the project has another file there',
      '2 by_hand "b.ts" was not created',
    ]);
  });

  it('measures what new text gains by the files, whatever the lock claims', () => {
    const code = "fetch('https://c.other-metrics.com')";
    const block = integrityOf(Buffer.from('g()\n'));
    const old = { step: 1, verb: 'append', target: 'a.ts', anchor: 'list:l', block } as const;
    const previous = { ...old, file: 'a.ts', text: 'g()', action: 'added' } as const;
    const step = `1. x\n\n${fence('append a.ts list:l', `g(${code})`)}`;
    const files = { 'a.ts': 'const l = [g()];\n' };
    const held = ['1 held its new text can send data to c.other-metrics.com'];
    expect(wire(step, files, [previous]).entries).toEqual(held);
    const claim = { ...previous, target: 'b.ts', file: 'b.ts', text: code };
    expect(wire(step, files, [previous, claim]).entries.slice(0, 1)).toEqual(held);
    const known = { ...files, 'b.ts': `const l = [${code}];\n` };
    expect(wire(step, known, [previous, claim]).entries).toContain('1 replaced');
  });
});
