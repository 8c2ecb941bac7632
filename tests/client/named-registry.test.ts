/** Commands that write to one registry take its name in the project, as `add` does. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastingFolder, makeIndex } from './registries-fixture.ts';
import { stackyard } from './registry-fixture.ts';

const root = lastingFolder();
let project: string;
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  const config = (name: string): object => ({
    name: `${name} registry`,
    repository: join(root, `${name}-git`),
  });
  const open = await makeIndex(root, 'open', config('open'), { 'acme/web': { '1.0.0': {} } });
  const corp = await makeIndex(root, 'corp', config('corp'), { 'corp/tool': { '1.0.0': {} } });
  project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}\n');
  const common = ['-C', project];
  await stackyard(['add', 'acme/web', '--registry', open, ...common]);
  await stackyard(['registry', 'add', 'corp', corp, ...common]);
});

interface Proposed {
  readonly data: { readonly repository: string };
  readonly error?: { readonly code: string; readonly message: string };
}

async function run(words: readonly string[], variables = {}): Promise<Proposed> {
  const ended = await stackyard([...words, '--dry-run', '--json', '-C', project], variables);
  return JSON.parse(ended.stdout) as Proposed;
}

it.each([
  ['report', 'corp:corp/tool@1.0.0', 'success', '--account-id', '7'],
  ['report', 'corp:corp/tool@1.0.0', 'flag', '--reason', 'broken', '--account-id', '7'],
  ['yank', 'corp:corp/tool@1.0.0', '--reason', 'Loses rows'],
  ['deprecate', 'corp:corp/tool', '--reason', 'Not maintained'],
])('%s %s goes to the repository of that registry', async (...words) => {
  // The variable is about the registry that the user mostly works with.
  const variables = { STACKYARD_REPOSITORY: join(root, 'open-git') };
  const { data, error } = await run(words, variables);
  expect([data.repository, error]).toEqual([join(root, 'corp-git'), undefined]);
});

it.each([
  [['yank', 'other:corp/tool@1.0.0', '--reason', 'x'], 'no registry "other"'],
  [['yank', 'corp:corp/tool@1.0.0', '--reason', 'x', '--registry', root], 'and so does --registry'],
  [['new', 'corp:corp/tool', 'app'], 'no registry "corp" yet'],
])('%j is refused', async (words, message) => {
  expect((await run(words)).error).toEqual(
    expect.objectContaining({ code: 'ERR_USAGE', message: expect.stringContaining(message) }),
  );
});
