/** `info --provenance` against hosts that alter what they state about a version. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { documentPath, versionPath } from '../../format/index/layout.ts';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { GATE_ADDRESS, formatMergeMessage } from '../../format/provenance/merge-message.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { build } from '../generate/git-fixture.ts';
import { SIGNER, Scenario } from './log-scenario.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** A registry in which the gate merged pull request 12, which publishes a/z. */
async function merged(): Promise<Scenario> {
  const scenario = await Scenario.begin();
  const { git } = scenario;
  git.git('checkout', '-q', '-b', 'pull');
  git.commit(build('a/z', '1.0.0', { base: 'src/z' }));
  git.git('checkout', '-q', 'main');
  git.git('config', 'user.email', GATE_ADDRESS);
  const verdict = { result: 'review', integrity: INTEGRITY } as const;
  const message = formatMergeMessage({ pullRequest: 12, published: ['a/z@1.0.0'], verdict });
  git.git('merge', '-q', '--no-ff', '-m', message, 'pull');
  await scenario.publish();
  return scenario;
}

/** The file that has it, which clients read. */
function documentIn({ index }: Scenario): string {
  const bytes = readFileSync(join(index, versionPath('a/z', '1.0.0')));
  return join(index, documentPath(sha256Hex(bytes)));
}

const provenance = (scenario: Scenario, ...more: string[]): ReturnType<Scenario['plain']> =>
  scenario.plain(['info', '--provenance', ...more, '--registry', scenario.url]);

describe('info --provenance', () => {
  it('prints what the log proves about a version', async () => {
    const scenario = await merged();
    const ended = await provenance(scenario, 'a/z');
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const lines = ended.stdout.split('\n').map((line) => line.trim());
    expect(lines[0]).toBe('a/z@1.0.0');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^commit {8}[0-9a-f]{40}$/),
        `log           entry 3 of 5 in registry.example/log, signed by ${formatNoteKey(SIGNER)}`,
        'pull request  12',
        expect.stringMatching(/^verdict {7}review, sha256 e3b0c442/),
      ]),
    );
    const json = await provenance(scenario, 'a/z@^1.0.0', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 'stackyard/info@1',
      data: {
        id: 'a/z',
        version: '1.0.0',
        statement: { predicate: { index: 3, gate: { pull_request: 12 } } },
        log: { index: 3, key: formatNoteKey(SIGNER) },
      },
    });
    expect((await provenance(scenario, 'a/x')).stdout).toMatch(/gate +nothing is known/);
  });

  it.each([
    ['the pull request', (text: string) => text.replace('"pull_request":12', '"pull_request":13')],
    [
      'the commit',
      (text: string) => text.replace(/("commit":")[0-9a-f]{4}(?=[0-9a-f]{36}")/, '$10000'),
    ],
    ['the digest', (text: string) => text.replace(/("subject":.*"sha256":")..../, '$10000')],
    ['the form', () => 'no statement'],
  ])('refuses a host that alters %s', async (_, alter) => {
    const scenario = await merged();
    const file = documentIn(scenario);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, alter(before));
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    const ended = await provenance(scenario, 'a/z', '--json');
    expect(ended.status).toBe(6);
    const message = expect.stringMatching(/documents\/\w+\.json has another digest/);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'ERR_LOG', message } });
  });

  it('refuses a head that the log contradicts, and reports what is missing', async () => {
    const scenario = await merged();
    const before = readFileSync(join(scenario.index, 'heads/a/z.json'));
    const other = before.toString().replace('"module"', '"foundation"');
    scenario.replace('heads/a/z.json', Buffer.from(other));
    expect((await provenance(scenario, 'a/z')).stderr).toContain('has another digest');
    scenario.replace('heads/a/z.json', before);
    rmSync(documentIn(scenario));
    const ended = await provenance(scenario, 'a/z');
    expect([ended.status, ended.stderr]).toEqual([
      7,
      expect.stringMatching(/documents\/\w+\.json: the head of "a\/z" names it and it is missing/),
    ]);
    expect((await provenance(scenario, 'a/no')).stderr).toContain('There is no build "a/no"');
  });

  it('states that nothing is proved where nobody signs the log', async () => {
    const scenario = await merged();
    await generateDocuments({ repo: scenario.git.folder, out: scenario.index, threads: 1 });
    const ended = await provenance(scenario, 'a/z');
    expect(ended.stdout).toMatch(/log +entry 3, not proved: nobody signs the log/);
  });
});
