import { describe, expect, test } from 'vitest';
import { NAMED_FILES, ORDINARY_FILES } from '../../../tests/consent/named-files.ts';
import { validate, type Build, type SourceBuild } from '../../../scan/validate.ts';
import type { Change } from './rule.ts';
import { checkConsent } from './consent.ts';

interface Content {
  readonly files?: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
  readonly integration?: string;
  readonly manifest?: object;
}

function source({ files = {}, executable = [], integration, manifest }: Content): SourceBuild {
  const about = { name: 'x', version: '1.0.0', kind: 'module', description: 'd', license: 'MIT' };
  const all = {
    'stackyard.json': JSON.stringify({ ...about, ...manifest }),
    ...(integration === undefined ? {} : { 'INTEGRATION.md': integration }),
    ...files,
  };
  const entries = Object.entries(all).map(([path, text]) => {
    const bytes = Buffer.from(text);
    const type = executable.includes(path) ? ('executable' as const) : ('file' as const);
    return { path, isUtf8Path: true, type, size: bytes.length, bytes };
  });
  return { owner: 'alice', name: 'x', source: { files: entries, isCut: false } };
}

function buildOf(content: Content): Build {
  const validated = validate(source(content));
  if (!validated.ok) throw new Error(JSON.stringify(validated.findings));
  return validated.build;
}

function reasonsOf(content: Content, before?: Content): string[] {
  const version = { examined: { build: buildOf(content) }, previous: before && source(before) };
  const build = { id: 'alice/x', folder: 'builds/alice/x', proposal: { version } };
  // Of a change the rule reads only this.
  const reasons = checkConsent({ builds: [build] } as unknown as Change);
  expect(reasons.every(({ level, code }) => level === 'review' && code === 'gate-consent')).toBe(
    true,
  );
  return reasons.map(({ message }) => message);
}

/** The manifest and the two texts are not installed. */
const PLACED = NAMED_FILES.filter(({ path }) => path !== 'README.md' && path !== 'stackyard.json');

describe('checkConsent()', () => {
  test.each(PLACED)('names $path: $source', ({ path, class: name }) => {
    // A folder of git is no file of a build that can be read.
    const [message, ...others] = reasonsOf({ files: { [path]: 'x\n' } });
    expect(message).toContain(`An install needs consent ("${name}"): ${path}. `);
    expect(others).toEqual([]);
  });

  test('has no reason for source files, our own modules included', () => {
    const files = Object.fromEntries(ORDINARY_FILES.map((path) => [path, 'x\n']));
    expect(reasonsOf({ files })).toEqual([]);
    expect(reasonsOf({ files: { 'a.ts': 'x' }, manifest: { base: 'src/x' } })).toEqual([]);
  });

  test('judges the place in the project, and installed files only', () => {
    expect(reasonsOf({ files: { 'a.ts': 'x' } })[0]).toContain('("root"): a.ts');
    expect(reasonsOf({ files: { 'a.ts': 'x' }, manifest: { base: '.vscode' } })[0]).toContain(
      '("editor"): .vscode/a.ts',
    );
    expect(
      reasonsOf({ files: { 'a.sh': 'x', 'src/a.ts': '' }, manifest: { files: ['src'] } }),
    ).toEqual([]);
  });

  test('names what is new or changed since the version before', () => {
    const old = { files: { 'src/jest.config.js': 'one', 'src/a.ts': 'x' } };
    expect(reasonsOf(old, old)).toEqual([]);
    const changed = { files: { ...old.files, 'src/jest.config.js': 'two' } };
    expect(reasonsOf(changed, old)[0]).toContain('src/jest.config.js');
    const added = { files: { ...old.files, 'src/x.sh': 'one' } };
    expect(reasonsOf(added, old)).toEqual([expect.stringContaining('("program"): src/x.sh')]);
    expect(reasonsOf({ ...old, executable: ['src/a.ts'] }, old)).toEqual([
      expect.stringContaining('("program"): src/a.ts'),
    ]);
    expect(reasonsOf({ ...old, manifest: { base: 'lib' } }, old)[0]).toContain(
      'lib/src/jest.config',
    );
  });

  test('names wired targets and scripts', () => {
    const integration = [
      '# Steps',
      '1. Ignore.\n\n   ```text wire lines .gitignore\n   !.env\n   ```\n',
      '2. Settings.\n\n   ```ts wire append vite.config.ts list:plugins\n   evil(),\n   ```\n',
      '3. List.\n\n   ```text wire lines deps/prod.txt\n   --index-url https://evil.example\n   ```\n',
      '4. Fine.\n\n   ```ts wire insert @express routes\n   app.use(x);\n   ```\n',
    ].join('\n');
    const manifest = { scripts: { postinstall: 'node x.js', start: 'node x.js' } };
    expect(reasonsOf({ integration, manifest, files: { 'src/a.ts': 'x' } })).toEqual([
      expect.stringContaining('("git"): .gitignore.'),
      expect.stringContaining('("lifecycle"): package.json#/scripts/postinstall.'),
      expect.stringContaining('("packages"): deps/prod.txt.'),
      expect.stringContaining('("settings"): vite.config.ts.'),
    ]);
  });

  test('lists some paths of many', () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/${i}.sh`, 'x']));
    expect(reasonsOf({ files })).toEqual([expect.stringContaining(' and 10 more. ')]);
  });
});
