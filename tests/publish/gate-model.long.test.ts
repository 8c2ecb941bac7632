/**
 * No sequence of pull requests that the gate approves changes the bytes of a published version, or what
 * `add <id>@<version>` installs: with build metadata, tree modes that git never writes, and two pull requests
 * from one commit.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headPath } from '../../format/index/layout.ts';
import type { Person } from '../../format/registry/account.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { readHead, readTree } from '../generate/index-reader.ts';
import { commitMode } from '../generate/tree-mode.ts';
import { ALICE, BOB, CAROL, GateFixture, MALLORY, ROOT, build, ownerFile } from './gate-fixture.ts';

const IDS = [
  'alice/web-forms',
  'alice/page-tables',
  'carol/mail-queue',
  'mallory/image-cutter',
] as const;
const PEOPLE: readonly Person[] = [ALICE, BOB, CAROL, MALLORY, ROOT];
const VERSIONS = ['0.9.0', '1.0.0', '1.0.1', '1.1.0', '2.0.0', '2.1.0'] as const;
const METADATA = ['', '', '', '+a', '+evil'] as const;
/** Written into trees as they are. */
const MODES = ['100664', '100600', '120777', '0100644'] as const;

const id = fc.constantFrom(...IDS);
const edit = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      id,
      version: fc
        .tuple(fc.constantFrom(...VERSIONS), fc.constantFrom(...METADATA))
        .map(([version, metadata]) => `${version}${metadata}`),
      text: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change'), id, text: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mode'), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), id, to: id }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('revert'), back: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('claim'), id, account: fc.constantFrom(11, 33, 66) }),
  },
);
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

/** A pull request: by whom, what, from how old a state of the base branch, and what it waits for. */
const pull = fc.record({
  // Mostly authors with permission: a sequence of only refused pull requests would test nothing.
  author: sometimes(4, ...PEOPLE),
  edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
  age: fc.integer({ min: 0, max: 3 }),
  waits: fc.boolean(),
  /** Of one file of the first build. */
  treeMode: sometimes(6, ...MODES),
  /** Opens a second pull request from the same commit. */
  twin: sometimes(4, ...PEOPLE),
});

/** One of `values` in one of `of` cases, else `undefined`. */
function sometimes<Value>(of: number, ...values: Value[]): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { weight: of - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
}

function filesOf(gate: GateFixture, one: Edit): Files {
  const path = (name: string): string => `builds/${name}`;
  // An earlier edit of the same pull request may have deleted it.
  const has = (name: string): boolean => existsSync(join(gate.git.folder, path(name)));
  if (one.kind === 'publish' && 'version' in one) {
    return build(one.id, one.version, {}, { 'src/index.ts': `export const a = ${one.text};\n` });
  }
  if (one.kind === 'change' && 'text' in one) {
    return { [`${path(one.id)}/src/index.ts`]: `export const a = ${one.text};\n` };
  }
  if (one.kind === 'delete' && 'id' in one) return has(one.id) ? { [path(one.id)]: null } : {};
  if (one.kind === 'claim' && 'account' in one) {
    return { [`builds/${one.id.split('/')[0]}/owner.json`]: ownerFile(one.account) };
  }
  if (one.kind === 'move' && 'to' in one && one.to !== one.id && has(one.id)) {
    return { ...build(one.to, '1.0.0'), [path(one.id)]: null };
  }
  return {};
}

function apply(gate: GateFixture, one: Edit): void {
  const { git } = gate;
  if (one.kind === 'revert' && 'back' in one) {
    const count = Number(git.git('rev-list', '--count', '--first-parent', 'HEAD'));
    git.git('checkout', '-q', `HEAD~${Math.min(one.back, count - 1)}`, '--', 'builds');
  } else if (
    one.kind === 'mode' &&
    'id' in one &&
    existsSync(join(git.folder, `builds/${one.id}/LICENSE`))
  ) {
    git.makeExecutable(`builds/${one.id}/LICENSE`);
  } else git.write(filesOf(gate, one));
}

/** Gives a file of the build that `one` is about a mode that git never writes, if the build is there. */
function setMode(gate: GateFixture, branch: string, one: Edit | undefined, mode: string): void {
  const path = `builds/${one !== undefined && 'id' in one ? one.id : IDS[0]}/LICENSE`;
  const isThere = gate.git.git('ls-tree', '--name-only', branch, '--', path) !== '';
  if (isThere) commitMode(gate.git, branch, path, mode);
}

/** What `add <id>@<version>` chooses today, for every published version. */
function installs(out: string, id: string): [request: string, integrity: string][] {
  if (!existsSync(join(out, headPath(id)))) return [];
  const { versions } = readHead(out, id);
  return versions.map(({ version }) => {
    const fitting = versions.filter((one) => satisfies(one.version, version));
    const [chosen] = fitting.sort((a, b) => compareVersions(b.version, a.version));
    return [`${id}@${version}`, chosen?.integrity ?? ''];
  });
}

function ownerOf(one: Edit | undefined): Person {
  const owner = one !== undefined && 'id' in one ? one.id.split('/')[0] : 'alice';
  return PEOPLE.find(({ login }) => login.toLowerCase() === owner) ?? ALICE;
}

it(
  'published tarballs keep their digests through any approved pull requests',
  { timeout: 900_000 },
  async () => {
    let landed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(pull, { minLength: 4, maxLength: 8 }), async (pulls) => {
        const gate = new GateFixture();
        const out = join(temporaryFolder(), 'index');
        const digests = new Map<string, string>();
        const installed = new Map<string, string>();
        const check = async (): Promise<void> => {
          const report = await generateDocuments({ repo: gate.git.folder, out, threads: 1 });
          expect(report.problems.failing).toEqual([]);
          const tree = readTree(out);
          for (const [path, digest] of digests) expect([path, tree[path]]).toEqual([path, digest]);
          for (const [path, digest] of Object.entries(tree)) {
            if (path.endsWith('.tgz')) digests.set(path, digest);
          }
          for (const id of IDS) {
            for (const [request, integrity] of installs(out, id)) {
              const before = installed.get(request) ?? integrity;
              expect([request, integrity]).toEqual([request, before]);
              installed.set(request, integrity);
            }
          }
          // No link comes into the checkouts of the registry.
          expect(gate.git.git('ls-tree', '-r', 'main', 'builds')).not.toMatch(/^120000/m);
        };
        await check();
        const waiting: { head: string; author: Person }[] = [];
        const decide = async ({
          head,
          author,
        }: {
          head: string;
          author: Person;
        }): Promise<void> => {
          const verdict = await gate.judge(head, author);
          // Whatever an admin could approve counts as approved.
          if (verdict.verdict === 'refuse') return;
          gate.land(verdict);
          landed += 1;
          await check();
        };
        for (const { author, edits, age, waits, treeMode, twin } of pulls) {
          const count = Number(gate.git.git('rev-list', '--count', '--first-parent', 'main'));
          const from = `main~${Math.min(age, count - 1)}`;
          const head = gate.pull({}, from, () => edits.forEach((one) => apply(gate, one)));
          if (treeMode !== undefined) setMode(gate, head, edits[0], treeMode);
          const opened = { head, author: author ?? ownerOf(edits[0]) };
          if (waits) waiting.push(opened);
          else await decide(opened);
          if (twin !== undefined) await decide({ head, author: twin });
        }
        for (const opened of waiting) await decide(opened);
      }),
      { numRuns: 25 },
    );
    expect(landed).toBeGreaterThan(3);
  },
);
