import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NAMED_FILES, ORDINARY_FILES } from '../../tests/consent/named-files.ts';
import { runs } from '../../tests/run/runs.ts';
import { CONSENT_CLASSES, SOURCE_KINDS } from './consent-classes.ts';
import { consentClass, isAgentFile, isConsentClass, isSourceKind } from './consent.ts';
import { isFilePath } from './file-path.ts';

test('the list of names is long, has no name twice, and names the source of each', () => {
  expect(NAMED_FILES.length).toBeGreaterThanOrEqual(300);
  expect(new Set(NAMED_FILES.map(({ path }) => path)).size).toBe(NAMED_FILES.length);
  expect(NAMED_FILES.filter((one) => !isFilePath(one.path) || one.source === '')).toEqual([]);
  expect(NAMED_FILES.filter((one) => !isConsentClass(one.class))).toEqual([]);
  expect(ORDINARY_FILES.length).toBeGreaterThanOrEqual(100);
});

test.each(NAMED_FILES)('consentClass() of $path is $class: $source', ({ path, class: wanted }) => {
  expect(consentClass({ path })).toBe(wanted);
});

test.each(ORDINARY_FILES)('consentClass() leaves %s free', (path) => {
  expect(consentClass({ path })).toBeUndefined();
});

test('consentClass() is a program for each ordinary name with mode 755', () => {
  for (const path of ORDINARY_FILES) {
    expect(consentClass({ path, executable: true })).toBe('program');
  }
});

test('consentClass() reads the final path: a source file is one in a folder only', () => {
  expect(consentClass({ path: 'src/app/x.ts' })).toBeUndefined();
  expect(consentClass({ path: 'x.ts' })).toBe('root');
  expect(consentClass({ path: '.vscode/x.ts' })).toBe('editor');
  expect(consentClass({ path: 'src/.x/y.ts' })).toBe('hidden');
});

test.each([
  ['requests==2.32\n', undefined],
  ['- a list of people\n- in a text\n', undefined],
  ['see https://example.org\n', undefined],
  ['--index-url https://evil.example/simple\nrequests\n', 'packages'],
  ['requests\n  --extra-index-url=https://evil.example\n', 'packages'],
  ['-i https://evil.example/simple', 'packages'],
  ['-r other.txt', 'packages'],
  ['-e ./local', 'packages'],
  ['-fhttps://evil.example/links', 'packages'],
  ['requests @ https://evil.example/requests.whl', 'packages'],
  ['git+https://evil.example/x.git', 'packages'],
  ['https://evil.example/x-1.0.tar.gz', 'packages'],
  ['ok\rhttps://evil.example/x.zip', 'packages'],
])('consentClass() of the text %j in a list is %s', (text, wanted) => {
  expect(consentClass({ path: 'deps/prod.txt', text })).toBe(wanted);
  expect(consentClass({ path: 'deps/prod.txt', text: Buffer.from(text) })).toBe(wanted);
});

test('consentClass() ignores case, as file systems do', () => {
  for (const path of ['src/PACKAGE.JSON', 'src/Package.json', 'src/pac\u212Aage.json']) {
    expect(consentClass({ path })).toBe('packages');
  }
});

test('consentClass() is the same in any case of letters', () => {
  const path = fc.constantFrom(...NAMED_FILES.map((one) => one.path), ...ORDINARY_FILES);
  fc.assert(
    fc.property(path, fc.infiniteStream(fc.boolean()), (name, flips) => {
      const other = name.replaceAll(/[a-z]/gi, (c) =>
        flips.next().value === true ? c.toUpperCase() : c.toLowerCase(),
      );
      expect(consentClass({ path: other })).toBe(consentClass({ path: name }));
    }),
    { numRuns: runs(400) },
  );
});

test('consentClass() of an unknown extension is never free', () => {
  const known = new Set(Object.values(SOURCE_KINDS).flatMap((kinds) => kinds.split(' ')));
  const unknown = fc.stringMatching(/^[a-z0-9]{1,8}$/).filter((extension) => !known.has(extension));
  fc.assert(
    fc.property(unknown, (extension) => {
      expect(consentClass({ path: `src/mod/x.${extension}` })).toBeDefined();
    }),
    { numRuns: runs(1000) },
  );
});

test('each class has a sentence without its full stop', () => {
  for (const sentence of Object.values(CONSENT_CLASSES)) expect(sentence).toMatch(/^[A-Zg].*[^.]$/);
});

test.each([
  ['index.ts', true],
  ['a/b.sql', true],
  ['LICENSE', true],
  ['a/.ts', false],
  ['a/x.sh', false],
])('isSourceKind(%j) is %s', (path, wanted) => {
  expect(isSourceKind(path)).toBe(wanted);
});

test.each([
  ['agents.md', true],
  ['a/b/SKILL.md', true],
  ['.github/agents/x.md', true],
  ['.github/workflows/x.yml', false],
  ['prompts/x.md', false],
  ['README.md', false],
])('isAgentFile(%j) is %s', (path, wanted) => {
  expect(isAgentFile(path)).toBe(wanted);
});
