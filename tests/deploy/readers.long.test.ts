/**
 * Clients beside deployments: whatever is deployed while they run, each of them succeeds, and what it gets is of one state. The builds
 * `a/x` and `b/y` are always published together, so that a state has the same version of both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { parseLock } from '../../format/project/lock.ts';
import { deploy } from '../../generator/deploy/deploy.ts';
import { openFolderStore } from '../../generator/deploy/folder-store.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { SIGNER } from '../client/log-scenario.ts';
import { scriptOf } from '../client/client-process.ts';
import { makeProject, pathOf, serveAnswers, serveFolder } from '../client/registry-fixture.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Ended, ScriptRun } from '../run/script-process.ts';
import { makePlace, storeAt } from './deploy-fixture.ts';
import { startMoto, type S3Server } from './s3-server.ts';
import { proxyBefore, type Reaction } from './store-proxy.ts';

const DEPLOYMENTS = 25;
const RUNS = 1_000;
const READERS = 2;
const LATENCY_MS = 150;
const DONE = { refused: [] as string[], isEnough: true, deployments: DEPLOYMENTS };
const RESIDENT = join(import.meta.dirname, '../run/resident-program.ts');

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

it('a folder that is deployed to refuses no client, and gives each one state', async () => {
  const folder = join(temporaryFolder(), 'www');
  const registry = await begun(openFolderStore(folder, folder));
  expect(await readBeside(registry, await serveFolder(folder))).toEqual(DONE);
}, 900_000);

it('a store with slow requests refuses no client, and gives each one state', async () => {
  const [place, proxy] = [await makePlace(server), await proxyBefore(server.endpoint)];
  proxy.react = async (): Promise<Reaction> => {
    await sleep(LATENCY_MS);
    return 'forward';
  };
  const registry = await begun(storeAt(place, proxy.endpoint));
  expect(await readBeside(registry, await serveStore(storeAt(place)))).toEqual(DONE);
}, 900_000);

/** Serves the objects of a store, as a host before it does. */
function serveStore(store: Store): Promise<string> {
  return serveAnswers(async (request, response) => {
    const found = await store.read(pathOf(request).slice(1));
    if (found === undefined) response.writeHead(404).end();
    else if (request.headers['if-none-match'] === found.tag) response.writeHead(304).end();
    else response.writeHead(200, { ETag: found.tag }).end(found.bytes);
  });
}

interface Registry {
  readonly deployNext: () => Promise<void>;
}

/** A registry after its first deployment; each later one is of another kind. */
async function begun(store: Store): Promise<Registry> {
  const git = new GitFixture();
  const index = join(temporaryFolder(), 'index');
  let count = 0;
  const config = (name: string): string => JSON.stringify({ name, origin: 'registry.example' });
  const pair = (version: string): Record<string, string> => ({
    ...(build('a/x', version, { base: 'src/x' }) as Record<string, string>),
    ...(build('b/y', version, { base: 'src/y' }) as Record<string, string>),
    ...(build('c/z', version, { base: 'src/z' }) as Record<string, string>),
  });
  const publish = async (files: Record<string, string>): Promise<void> => {
    git.commit(files);
    await generateDocuments({ repo: git.folder, out: index, threads: 1, signers: [SIGNER] });
    await deploy({ index, store, graceMs: 86_400_000, signers: [SIGNER] });
  };
  await publish({
    'registry.config.json': JSON.stringify({ origin: 'registry.example' }),
    ...pair('1.0.0'),
  });
  const yanked: Record<string, string> = {};
  const takenDown: Record<string, object> = {};
  const deployNext = async (): Promise<void> => {
    count += 1;
    const owner = (): Record<string, string> => ({
      'builds/c/owner.json': JSON.stringify({
        account_id: 3,
        yanked: { z: yanked },
        taken_down: { z: takenDown },
      }),
    });
    const before = `1.${Math.floor((count - 1) / 4)}.0`;
    if (count % 4 === 1) await publish({ 'registry.config.json': config(`Registry ${count}`) });
    else if (count % 4 === 2) await publish(((yanked[before] = 'broken'), owner()));
    else if (count % 4 === 3) {
      const statement = { reason: 'a secret', date: '2026-01-02', reference: `order ${count}` };
      takenDown[before] = statement;
      await publish(owner());
    } else await publish(pair(`1.${count / 4}.0`));
  };
  return { deployNext };
}

/** Runs clients and deployments side by side. @returns what was refused, and how many states were seen */
async function readBeside({ deployNext }: Registry, url: string): Promise<typeof DONE> {
  const refused: string[] = [];
  const seen = new Set<string>();
  let [runs, deployments] = [0, 0];
  const isOver = (): boolean => refused.length > 0 || (runs >= RUNS && deployments >= DEPLOYMENTS);
  const read = async (): Promise<void> => {
    const run = resident();
    const [state, warm] = [temporaryFolder(), temporaryFolder()];
    const kept = makeProject();
    for (let at = 0; !isOver(); at += 1) {
      const isAdd = at % 4 === 0;
      const project = isAdd ? makeProject() : kept;
      const command =
        at < 2 || isAdd
          ? ['add', 'a/x', 'b/y', '--no-install']
          : [['update', '--no-install'], ['verify'], ['outdated']][(at % 4) - 1]!;
      const cache = at % 8 === 0 ? temporaryFolder() : warm;
      const variables = { STACKYARD_CACHE: cache, STACKYARD_STATE: state, STACKYARD_REGISTRY: '' };
      const ended = await run(
        scriptOf([...command, '-C', project, '--registry', url], { cwd: project, variables }),
      );
      runs += 1;
      if (ended.status !== 0) {
        refused.push(`${command.join(' ')}: ${ended.status} ${ended.stderr}`);
        continue;
      }
      const { builds } = parseLock(readFileSync(join(project, 'stackyard.lock.json')), 'the lock');
      const [x, y] = [builds['a/x']?.version, builds['b/y']?.version];
      if (x !== y) refused.push(`${command.join(' ')}: a/x ${x} and b/y ${y}`);
      seen.add(x ?? '');
    }
  };
  const write = async (): Promise<void> => {
    while (!isOver() && deployments < DEPLOYMENTS) {
      await deployNext();
      deployments += 1;
    }
  };
  await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
  return { refused, isEnough: runs >= RUNS && seen.size > 3, deployments };
}

/** Runs scripts one after the other in a process of its own. */
function resident(): (script: ScriptRun) => Promise<Ended> {
  const child = fork(RESIDENT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill());
  return async (script) => {
    const answer = once(child, 'message');
    child.send(script);
    const [ended] = (await answer) as [Ended];
    return ended;
  };
}
