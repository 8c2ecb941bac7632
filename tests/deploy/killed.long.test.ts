/** The program `deploy`, killed at any write: clients read one whole state, and the next deployment completes it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { Registry } from '../../client/registry/registry.ts';
import { CHECKPOINT_PATH } from '../../format/index/layout.ts';
import { openFolderStore } from '../../generator/deploy/folder-store.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { deployTo, ended, expectDeployed, makeSource, startProgram } from './deploy-fixture.ts';

/** Kills its process at the write of this number: before it with an even number, after it with an odd one. */
const KILLER = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { renameSync } = fs;
let writes = 0;
fs.renameSync = (from, to) => {
  const isLast = (writes += 1) === Number(process.env.KILLED_AT);
  if (isLast && writes % 2 === 0) process.kill(process.pid, 'SIGKILL');
  renameSync(from, to);
  if (isLast) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
`;

it('leaves the old or the new state at each of over 200 writes', async () => {
  const source = await makeSource();
  const [folder, before] = [join(temporaryFolder(), 'www'), join(temporaryFolder(), 'www')];
  const store = openFolderStore(folder, folder);
  await deployTo(store, source);
  cpSync(folder, before, { recursive: true, preserveTimestamps: true });
  const first = ['a/x', 'b/y', 'b/z'];
  const added = Array.from({ length: 34 }, (_, at) => `c/n${at}`);
  const builds = added.map((id) => build(id, '1.0.0') as Record<string, string>);
  await source.publish(Object.assign({}, ...builds) as Record<string, string>);
  const killer = join(temporaryFolder(), 'killer.mjs');
  writeFileSync(killer, KILLER);
  vi.stubEnv('NODE_OPTIONS', `--import=${pathToFileURL(killer).href}`);
  const checkpoint = (at: string): string => readFileSync(join(at, CHECKPOINT_PATH), 'utf8');
  const states = [checkpoint(before), checkpoint(source.index)];
  let killed = 0;
  for (let [at, isOver] = [1, false]; !isOver; at += 1) {
    rmSync(folder, { recursive: true });
    cpSync(before, folder, { recursive: true, preserveTimestamps: true });
    vi.stubEnv('KILLED_AT', String(at));
    const { status, text } = await ended(startProgram(source, `file:${folder}`, undefined));
    isOver = status !== null;
    if (isOver) expect([status, text]).toEqual([0, expect.any(String)]);
    else killed = at;
    expect(states).toContain(checkpoint(folder));
    const registry = new Registry(folder, new AbortController().signal);
    const isNew = checkpoint(folder) === states[1];
    const heads = [...first, ...added].map((id) => registry.head(id));
    const versions = (await Promise.all(heads)).map((head) => head?.versions.length);
    expect(versions).toEqual([2, 1, 1, ...added.map(() => (isNew ? 1 : undefined))]);
    await deployTo(store, source);
    expect(checkpoint(folder)).toBe(states[1]);
    // Once more, because the run that did not end may be at work still.
    await deployTo(store, source);
    await expectDeployed(store, source);
  }
  expect(killed).toBeGreaterThan(200);
}, 900_000);
