import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWireInfo } from './wire-info.ts';
import type { WireBlock } from './wiring.ts';
import { countSteps, parseWiring } from './wiring.ts';

const GUIDE = `# Integrate

\`\`\`ts wire import @express
outside();
\`\`\`

## Steps

1. **\`src/account.wire.ts\`**: create it.

   ~~~ts wire file src/account.wire.ts
   export function mount() {
     // 1. no item
   }
   ~~~

2. Where the app mounts its routes:

   \`\`\`ts wire insert @express routes
   mount(app);
   \`\`\`

   Otherwise add to the list:

   \`\`\`ts wire append src/routes.ts list:routes
   { prefix: '/a' },
   \`\`\`

3. By hand:

   \`\`\`ts
   other();
   \`\`\`

10) - in a list:

      \`\`\`\`text wire lines .gitignore
      data/
      \`\`\`
      \`\`\`\`

## Use it

1. Nothing
`;

it('countSteps() has all numbered steps, and those that people carry out', () => {
  expect(countSteps(GUIDE)).toEqual({ all: 4, unwired: 1 });
  expect(countSteps('## Steps\n\n1. One\n2. Two\n\n## Use\n\n1. No')).toEqual({
    all: 2,
    unwired: 2,
  });
  expect(countSteps('## Steps\n\n1. x\n\n   ```ts wire nothing\n   a\n   ```\n')).toEqual({
    all: 1,
    unwired: 1,
  });
  expect(countSteps('')).toEqual({ all: 0, unwired: 0 });
});

describe('parseWiring()', () => {
  it.each(['\n', '\r\n'])('reads steps, alternatives and nested fences with line end %j', (end) => {
    const { steps, findings } = parseWiring(GUIDE.replaceAll('\n', end));
    expect(findings.map(({ code, place }) => [code, place?.line])).toEqual([['wiring-place', 3]]);
    expect(
      steps.map(({ number, alternatives }) => [number, alternatives.map((a) => a.length)]),
    ).toEqual([
      [1, [1]],
      [2, [1, 1]],
      [4, [1]],
    ]);
    const [file, routes, lines] = steps;
    expect(file!.alternatives[0]![0]).toEqual({
      language: 'ts',
      verb: 'file',
      target: 'src/account.wire.ts',
      text: 'export function mount() {\n  // 1. no item\n}\n',
      line: 12,
    });
    expect(routes!.alternatives[1]![0]!.anchor).toEqual({ kind: 'list', name: 'routes' });
    expect(routes!.text).toMatch(/^2\. Where[^]*\},\n {3}```$/);
    expect(lines!.alternatives[0]![0]!.text).toBe('data/\n```\n');
  });

  it.each([
    ['ts wire insert @express', 'wiring-anchor'],
    ['ts wire insert @express routes more', 'wiring-anchor'],
    ['ts wire insert @express routes:app', 'wiring-anchor'],
    ['ts wire import @express routes', 'wiring-anchor'],
    ['ts wire append src/a.ts list:', 'wiring-anchor'],
    ['ts wire append src/a.ts list:a-b', 'wiring-anchor'],
    ['py wire insert @fastapi routers', 'wiring-anchor'],
    ['ts wire append src/a.ts returned:f', 'wiring-anchor'],
    ['ts wire argument src/a.ts call:f', 'wiring-verb'],
    ['ts wire wrap src/a.ts call:f', 'wiring-verb'],
    ['ts wire replace @express', 'wiring-verb'],
    ['ts wire', 'wiring-verb'],
    ['ts wire import', 'wiring-target'],
    ['ts wire import @koa', 'wiring-target'],
    ['py wire import @express', 'wiring-target'],
    ['ts wire file @express', 'wiring-target'],
    ['ts wire file ../x.ts', 'wiring-target'],
    ['ts wire file /etc/passwd', 'wiring-target'],
    ['ts wire file C:/x.ts', 'wiring-target'],
    ['json wire lines package.json', 'wiring-target'],
    ['json wire lines apps/a/PACKAGE.json', 'wiring-target'],
    ['text wire lines requirements-dev.txt', 'wiring-target'],
    ['text wire lines yarn.lock', 'wiring-target'],
    ['text wire lines .env', 'wiring-target'],
    ['text wire lines .github/workflows/ci.yml', 'wiring-target'],
    ['md wire file AGENTS.md', 'wiring-target'],
    ['md wire file .claude/commands/a.md', 'wiring-target'],
    ['ts wire file .gitignore', 'wiring-target'],
    ['ts wire file src/.hidden/x.ts', 'wiring-target'],
    ['ts wire file node_modules/x.ts', 'wiring-target'],
    ['sh wire import src/a.ts', 'wiring-language'],
    ['wire import @express', 'wiring-language'],
  ])('reports %j', (info, code) => {
    const { steps, findings } = parseWiring(
      `## Steps\n\n1. x\n\n   \`\`\`${info}\n   a();\n   \`\`\`\n`,
    );
    expect(findings.map((f) => f.code)).toEqual([code]);
    expect(steps).toMatchObject([{ number: 1, isBroken: true, alternatives: [] }]);
  });

  it.each([
    ['wiring-empty', 'ts wire import a.ts', '', true],
    ['wiring-unclosed', 'ts wire import a.ts', 'a();', false],
  ])('reports %s', (code, info, text, isClosed) => {
    const guide = `## Steps\n\n1. x\n\n   \`\`\`${info}\n   ${text}\n${isClosed ? '   ```\n' : ''}`;
    expect(parseWiring(guide).findings.map((f) => f.code)).toEqual([code]);
  });

  it('reads no fence in quotations, indented code, other fences', () => {
    const fence = '```ts wire import @express\na();\n```\n';
    const others = [
      `~~~~md\n${fence}~~~~`,
      fence.replaceAll(/^/gm, '        '),
      `> ${fence.replaceAll('\n', '\n> ')}`,
    ];
    for (const part of others) {
      expect(parseWiring(`## Steps\n\n1. x\n\n${part}\n`)).toEqual({
        steps: [],
        plainSteps: 1,
        findings: [],
      });
    }
  });

  it('reads every form of a guide', () => {
    const name = fc.constantFrom('a', 'createRoutes', '$x', 'é');
    const path = fc
      .constantFrom('src/a.ts', 'a b.ts', 'x/y.z/ü.ts')
      .filter((p) => !p.includes(' '));
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '`', '~', '{', '1', '.', '<', '\t') });
    const text = fc
      .array(line, { minLength: 1 })
      .map((lines) => `${lines.map((l) => l.trimEnd()).join('\n')}\n`)
      .filter((t) => t.trim() !== '');
    const language = fc.constantFrom('ts', 'jsx');
    const verbs: fc.Arbitrary<Omit<WireBlock, 'line' | 'text' | 'language'>> = fc.oneof(
      fc.record({ verb: fc.constantFrom('file', 'lines', 'import'), target: path }),
      fc.record({ verb: fc.constant('import'), target: fc.constant('@express') }),
      fc.record({
        verb: fc.constant('insert'),
        target: fc.constant('@express'),
        anchor: fc.constant({ kind: 'routes' as const }),
      }),
      fc.record({
        verb: fc.constant('append'),
        target: path,
        anchor: fc.record({ kind: fc.constant('list'), name }),
      }),
    ) as never;
    const block = fc.tuple(verbs, text, language).map(([info, content, word]): WireBlock => ({
      ...info,
      language: word,
      text: content,
      line: 0,
    }));
    const steps = fc.array(
      fc.array(fc.array(block, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
    );
    fc.assert(
      fc.property(steps, (blocks) => {
        const { steps: read, findings } = parseWiring(formatWiring(blocks));
        expect(findings).toEqual([]);
        const bare = read.map(({ alternatives }) =>
          alternatives.map((all) => all.map((one) => ({ ...one, line: 0 }))),
        );
        expect(bare).toEqual(blocks);
      }),
    );
  });

  it('throws for no text', () => {
    const part = fc.constantFrom(
      '```',
      '~~~',
      'ts wire insert @express routes',
      '\n',
      '   ',
      '1. ',
      '## Steps',
      '<!--',
      '-->',
      'Otherwise',
      'a',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(() => parseWiring(parts.join(''))).not.toThrow();
      }),
    );
  });

  it('reads hostile texts in a time that grows with their length', () => {
    const parts = [
      '```',
      '- ',
      '1. a\n',
      '   ```ts wire import a.ts\n',
      '<!--',
      'Otherwise\n',
      '~~~ wire ',
    ];
    for (const part of parts) {
      const guide = `wire\n## Steps\n\n${part.repeat(Math.floor(400_000 / part.length))}`;
      expect(parseWiring(guide).steps.length).toBeLessThan(100_000);
    }
  });
});

/** A guide with the steps of `wiring`: `parseWiring` reads the same blocks from it. */
function formatWiring(steps: readonly (readonly (readonly WireBlock[])[])[]): string {
  const items = steps.map((alternatives, index) => {
    const marker = `${index + 1}. `;
    const indent = ' '.repeat(marker.length);
    const parts = alternatives.map((blocks) => blocks.map((block) => formatBlock(block, indent)));
    const text = parts.map((part) => part.join('\n')).join(`\n${indent}Otherwise:\n\n`);
    return `${marker}Step.\n\n${text}`;
  });
  return `## Steps\n\n${items.join('\n')}`;
}

function formatBlock(block: WireBlock, indent: string): string {
  const runs = [...block.text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const mark = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  const lines = block.text.split('\n').slice(0, -1);
  const body = lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${indent}${mark}${formatWireInfo(block)}\n${body}${indent}${mark}\n`;
}
