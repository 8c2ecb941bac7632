/** No sequence of pull requests that the gate approves changes the bytes of a published version. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Person } from '../../format/registry/account.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { ALICE, BOB, CAROL, GateFixture, MALLORY, ROOT, ownerFile } from './gate-fixture.ts';

const IDS = [
  'alice/web-forms',
  'alice/page-tables',
  'carol/mail-queue',
  'mallory/image-cutter',
] as const;
const PEOPLE: readonly Person[] = [ALICE, BOB, CAROL, MALLORY, ROOT];
const VERSIONS = ['0.9.0', '1.0.0', '1.0.1', '1.1.0', '2.0.0', '2.1.0'] as const;

const id = fc.constantFrom(...IDS);
const edit = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      id,
      version: fc.constantFrom(...VERSIONS),
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

/** A pull request: its author, its change, the age of its base commit, and whether it waits. */
const pull = fc.record({
  // Mostly authors with permission: a sequence of only refused pull requests would test nothing.
  author: fc.option(fc.constantFrom(...PEOPLE), { freq: 3, nil: undefined }),
  edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
  age: fc.integer({ min: 0, max: 3 }),
  waits: fc.boolean(),
});

function filesOf(gate: GateFixture, one: Edit): Files {
  const path = (name: string): string => `builds/${name}`;
  const has = (name: string): boolean => gate.git.git('ls-files', '--', path(name)) !== '';
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
    git.git('ls-files', '--', `builds/${one.id}/LICENSE`) !== ''
  ) {
    git.makeExecutable(`builds/${one.id}/LICENSE`);
  } else git.write(filesOf(gate, one));
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
        const check = async (): Promise<void> => {
          const report = await generate({ repo: gate.git.folder, out, threads: 1 });
          expect(report.problems.failing).toEqual([]);
          const tree = readTree(out);
          for (const [path, digest] of digests) expect([path, tree[path]]).toEqual([path, digest]);
          for (const [path, digest] of Object.entries(tree)) {
            if (path.endsWith('.tgz')) digests.set(path, digest);
          }
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
        for (const { author, edits, age, waits } of pulls) {
          const count = Number(gate.git.git('rev-list', '--count', '--first-parent', 'main'));
          const from = `main~${Math.min(age, count - 1)}`;
          const head = gate.pull({}, from, () => edits.forEach((one) => apply(gate, one)));
          const opened = { head, author: author ?? ownerOf(edits[0]) };
          if (waits) waiting.push(opened);
          else await decide(opened);
        }
        for (const opened of waiting) await decide(opened);
      }),
      { numRuns: 15 },
    );
    expect(landed).toBeGreaterThan(3);
  },
);
