/** Issue forms for reports and flags: the scripts of signals.yml, called as it calls them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseStatementPath, statementPath } from '../../format/statement/statement.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import type { Thread } from './code-host-fixture.ts';
import { ID, formBody, integrityOf } from './form-fixture.ts';
import { ALICE, BOB, CAROL, REGISTRY } from './gate-fixture.ts';

const NOW = new Date().toISOString().replace(/\.\d+Z$/, 'Z');

let host: CodeHostFixture;
let integrity: string;

beforeEach(async () => {
  host = await CodeHostFixture.open(REGISTRY);
  integrity = await integrityOf(host.git.folder);
});

function body(answers: Readonly<Record<string, string>> = {}): string {
  return formBody(integrity, answers);
}

interface Filed {
  readonly read: string;
  readonly file: string;
}

/** Runs both jobs of signals.yml one after the other, as that file does. */
async function run(
  form: Thread,
  text: string,
  more: object = {},
  issue: object = {},
): Promise<Filed> {
  const folder = temporaryFolder();
  const [eventFile, formFile] = [join(folder, 'event.json'), join(folder, 'form.json')];
  const labels = form.labels.map((name) => ({ name }));
  const { number, user, state } = form;
  const about = { number, user, state, labels, body: text, updated_at: NOW, ...issue };
  const event = { action: 'opened', issue: about, sender: user, ...more };
  writeFileSync(eventFile, JSON.stringify(event));
  // The first job has no token at all.
  const read = await host.run('read-form', { GITHUB_EVENT_PATH: eventFile, FORM_FILE: formFile });
  expect(read.status, read.stdout).toBe(0);
  const filed = await host.run('file-form', { FORM_FILE: formFile, GITHUB_TOKEN: 'write' });
  expect(filed.status, filed.stdout).toBe(0);
  return { read: read.stdout.trim(), file: filed.stdout.trim() };
}

/** Files below `folder` on the main branch. */
function files(folder: string): string[] {
  const args = ['ls-tree', '-r', '--name-only', 'main', '--', folder];
  return host.git
    .git('-C', host.host, ...args)
    .split('\n')
    .filter(Boolean);
}

function show(path: string): string {
  return host.git.git('-C', host.host, 'show', `main:${path}`);
}

describe('a form', () => {
  it('becomes the file of a report, is answered and closed', async () => {
    const before = host.main;
    const form = host.form(BOB, 'report');
    const { file } = await run(form, body({ Note: 'Works.\n\n$(rm -rf /) `id`' }));
    const [path = '', ...others] = files('reports');
    expect([others, file]).toEqual([[], `filed: ${path}`]);
    const report = {
      build: ID,
      version: '1.0.0',
      integrity,
      outcome: 'success',
      note: 'Works.\n\n$(rm -rf /) `id`',
      account: 'host:22',
      day: NOW.slice(0, 10),
    };
    expect(`${show(path)}\n`).toBe(canonicalJson(report));
    expect(path).toBe(statementPath('reports', report));
    const log = host.git.git('-C', host.host, 'log', '-1', '--format=%P%n%an%n%B', 'main');
    expect(log).toBe(`${before}\nstackyard-gate\nReport ${ID}@1.0.0\n\nFrom issue #${form.number}`);
    expect(host.git.git('-C', host.host, 'diff', '--name-only', before, 'main')).toBe(path);
    expect([form.state, form.labels]).toEqual(['closed', ['report', 'signal: filed']]);
    expect(form.comments[0]?.body).toContain(`Filed as <code>${path}</code>`);
    expect(host.dispatched).toEqual([{ file: 'deploy.yml', inputs: {} }]);
    // The event of the label that the form set comes as well.
    form.state = 'open';
    form.labels = ['report'];
    expect((await run(form, body({ Note: report.note }), { action: 'labeled' })).file).toBe(
      `was there already: ${path}`,
    );
    expect([files('reports').length, form.comments.length, host.dispatched.length]).toEqual([
      1, 1, 1,
    ]);
  });

  it('counts where the repository does not have the label that the form sets, which comes with it', async () => {
    const form = host.form(BOB, 'report');
    form.labels = [];
    expect((await run(form, body())).read).toBe('outcome: reports');
    expect([files('reports').length, form.labels]).toEqual([1, ['report', 'signal: filed']]);
    const flag = host.form(CAROL, 'flag');
    flag.labels = [];
    const text = body({ Reason: 'broken' }).replace(/### Outcome\s+success\s+/, '');
    await run(flag, text);
    expect([files('flags').length, flag.labels]).toEqual([1, ['flag', 'signal: filed']]);
  });

  it('of a flag stays open for an admin, and is filed once', async () => {
    const form = host.form(CAROL, 'flag');
    await run(form, body({ Reason: 'broken', Outcome: '_No response_' }));
    expect(files('flags').map((path) => parseStatementPath(path)?.build)).toEqual([ID]);
    expect([form.state, form.labels]).toEqual(['open', ['flag', 'signal: filed']]);
    const again = await run(form, body({ Reason: 'malware' }), { action: 'edited' });
    expect([again.read, files('flags').length]).toEqual([
      'outcome: ignored, it was filed before',
      1,
    ]);
  });

  it('is counted by the ingest', async () => {
    await run(host.form(CAROL, 'report'), body({ Outcome: 'failure' }));
    await run(host.form(ALICE, 'report'), body({ Note: 'It is mine' }));
    await run(host.form(BOB, 'report'), body({ Note: 'I maintain it' }));
    const [repo, out] = [host.checkout(), temporaryFolder()];
    const index = join(out, 'index');
    await host.run('generate', { INDEX_FOLDER: index, STATE_FILE: join(out, 'state') }, repo);
    const args = ['reports', '--repo', repo, '--index', index, '--state', join(out, 'ingest')];
    const { stdout } = await runCommand('ingest', args);
    expect(stdout).toContain('3 accepted (0 superseded, 2 of the publisher');
  });

  it('that cannot be accepted gets a comment with the corrections, without the text of its note', async () => {
    const before = host.main;
    const form = host.form(BOB, 'report');
    await run(form, body({ Note: 'Ask bob@example.org' }));
    const comment = plain(form.comments[0]?.body ?? '');
    expect(comment).toContain('Field "note" holds an e-mail address');
    expect(comment).not.toContain('bob@');
    expect([host.main, form.state, form.labels]).toEqual([
      before,
      'open',
      ['report', 'signal: mend'],
    ]);
  });

  it('is read again when its author edits it, and not when others do', async () => {
    const form = host.form(BOB, 'report');
    await run(form, body({ Version: '9.9.9' }));
    const before = host.main;
    const others = await run(form, body(), { action: 'edited', sender: CAROL });
    expect([others.read, host.main]).toEqual([
      'outcome: ignored, another account edited it',
      before,
    ]);
    await run(form, body(), { action: 'edited' });
    expect([form.labels, form.state]).toEqual([['report', 'signal: filed'], 'closed']);
    expect(form.comments.map((comment) => comment.body)).toEqual([
      expect.stringContaining('Filed as'),
    ]);
  });

  it('is accepted once for each account, version and day', async () => {
    await run(host.form(BOB, 'report'), body());
    const second = host.form(BOB, 'report');
    await run(second, body({ Outcome: 'failure' }));
    expect([files('reports').length, second.labels]).toEqual([1, ['report', 'signal: mend']]);
    expect(plain(second.comments[0]?.body ?? '')).toContain('one for each account');
    await run(host.form(CAROL, 'report'), body({ Outcome: 'failure' }));
    await run(host.form(BOB, 'flag'), body({ Reason: 'broken' }));
    expect([files('reports').length, files('flags').length]).toEqual([2, 1]);
  });

  it.each<[string, string[], object, string]>([
    ['a closed issue', ['report'], { state: 'closed' }, 'it is closed'],
    ['a pull request', ['report'], { pull_request: {} }, 'it is a pull request'],
    ['an issue without a form', ['question'], { body: 'How?' }, 'it is no such form'],
    ['an author who is gone', ['report'], { user: null }, 'its author is gone'],
  ])('is not seen in %s', async (_, labels, issue, why) => {
    const form = host.form(BOB, 'report');
    form.labels = labels;
    const { read, file } = await run(form, body(), {}, issue);
    expect([read, file]).toEqual([`outcome: ignored, ${why}`, 'ignored']);
    expect([form.comments, files('reports')]).toEqual([[], []]);
  });

  it('with the labels of two forms is sent back', async () => {
    const form = host.form(BOB, 'report');
    form.labels = ['report', 'flag'];
    await run(form, body({ Reason: 'broken' }));
    expect(form.comments[0]?.body).toContain('two forms');
  });

  it('is filed with others at the same time', async () => {
    const forms = [ALICE, BOB, CAROL].map((user) => host.form(user, 'report'));
    await Promise.all(forms.map((form) => run(form, body())));
    expect(files('reports')).toHaveLength(3);
    expect(host.git.git('-C', host.host, 'rev-list', '--count', '--merges', 'main')).toBe('0');
  });
});

describe('file-form.ts', () => {
  it('refuses an outcome that is incomplete, forged or about another author', async () => {
    const form = host.form(BOB, 'report');
    const file = join(temporaryFolder(), 'form.json');
    const statement = {
      build: ID,
      version: '1.0.0',
      integrity,
      outcome: 'success',
      account: 'host:11',
      day: NOW.slice(0, 10),
    };
    const taken = { outcome: 'reports', issue: form.number, author: BOB.id, statement };
    for (const [text, status] of [
      ['{', 1],
      [JSON.stringify({ ...taken, more: 1 }), 1],
      [JSON.stringify({ ...taken, statement: { ...statement, build: '../x' } }), 1],
      [JSON.stringify(taken), 1],
      [JSON.stringify({ ...taken, author: ALICE.id }), 0],
    ] as const) {
      writeFileSync(file, text);
      const ran = await host.run('file-form', { FORM_FILE: file, GITHUB_TOKEN: 'write' });
      expect([text, ran.status]).toEqual([text, status]);
    }
    expect([files('reports'), form.comments]).toEqual([[], []]);
  });
});

/** A comment as its reader sees it. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('\u200b', '');
}
