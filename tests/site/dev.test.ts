/** The program `npm run dev`: the site of files that are not committed, made again and reloaded when they change. */
import { spawn } from 'node:child_process';
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Starts the program; `lines` waits for the next line of its output that has a text. */
function startDev(repo: string): { line: (text: string) => Promise<string> } {
  const args = [
    join(ROOT, 'generator/main.ts'),
    'dev',
    '--repo',
    repo,
    '--port',
    '0',
    '--threads',
    '1',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  let output = '';
  const add = (text: string): void => void (output += text);
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const line = async (text: string): Promise<string> => {
    await expect.poll(() => output, { timeout: 60_000 }).toContain(text);
    return output.split('\n').find((one) => one.includes(text)) ?? '';
  };
  return { line };
}

/** The events that a page of `address` gets. */
async function eventsOf(address: string): Promise<{ next: (name: string) => Promise<void> }> {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const { body } = await fetch(`${address}/@dev/events`, { signal: leave.signal });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (name: string): Promise<void> => {
    const event = `event: ${name}\n`;
    while (!text.includes(event)) text += (await reader.read()).value ?? '';
    text = text.slice(text.indexOf(event) + event.length);
  };
  return { next };
}

it('serves uncommitted files, and reloads pages when builds or the site change', async () => {
  const git = new GitFixture();
  const files = build('alice/web', '1.0.0', {}, { 'README.md': '# alice/web\n\nCommitted.\n' });
  git.commit({
    ...files,
    'registry.config.json': '{ "name": "Test" }',
  });
  git.write({ 'builds/alice/web/README.md': '# alice/web\n\nNot committed.\n' });
  const { line } = startDev(git.folder);
  const address = (await line('Serving the site on ')).split(' on ')[1]!;
  const page = async (): Promise<string> => (await fetch(`${address}/builds/alice/web/`)).text();

  const first = await page();
  expect(first).toContain('Not committed.');
  expect(first).toContain('<script type="module" src="/@dev/reload.js"></script>');
  await line('Changed: alice/web 1.0.1');

  const events = await eventsOf(address);
  await events.next('start');
  git.write({ 'builds/alice/web/README.md': '# alice/web\n\nChanged while it runs.\n' });
  await events.next('reload');
  expect(await page()).toContain('Changed while it runs.');
  await line('Changed: alice/web 1.0.2');

  const now = new Date();
  utimesSync(join(ROOT, 'generator/site/assets/style/base.css'), now, now);
  await events.next('reload');

  expect(git.git('status', '--porcelain')).toBe('M builds/alice/web/README.md');
  const { headers } = await fetch(`${address}/`);
  expect(headers.get('cache-control')).toBe('no-store');
  const script = await fetch(`${address}/@dev/reload.js`);
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(readFileSync(join(git.folder, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
});
