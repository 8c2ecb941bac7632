/** The commands of docs/operate.md, "A registry of your own", with the packed programs, an empty home and a bucket. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parseIndexPath } from '../../format/index/layout.ts';
import { makePlace, storeAt } from '../deploy/deploy-fixture.ts';
import { startMoto } from '../deploy/s3-server.ts';
import { requireWhole } from '../deploy/whole-index.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { readHead, readTree } from '../generate/index-reader.ts';
import { installRegistry } from './packed-registry.ts';

const PAGE = join(import.meta.dirname, '../../docs/operate.md');
const run = promisify(execFile);

it('from nothing to a gated registry in a bucket, with an install, an update and a yank', async () => {
  const server = await startMoto();
  onTestFinished(() => server.stop());
  const place = await makePlace(server);
  const store = storeAt(place);
  // As a web server before the bucket does.
  const web = createServer((request, response) => {
    void store.read(decodeURIComponent((request.url ?? '').slice(1))).then((object) => {
      response.writeHead(object === undefined ? 404 : 200).end(object?.bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  onTestFinished(() => void web.close());
  const folder = temporaryFolder();
  const { program, home } = await installRegistry(folder);
  const env = {
    ...server.env,
    HOME: home,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    PATH: `${dirname(program)}:${dirname(process.execPath)}:${process.env['PATH']}`,
    TARGET: place.target,
    ENDPOINT: server.endpoint,
    ADDRESS: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    WWW: join(folder, 'www'),
  };
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```sh new\n([^]*?)^```$/gm);
  const script = [...blocks].map(([, commands]) => commands).join('');
  expect(script).toContain('stackyard-registry gate');
  const { stdout } = await run('sh', ['-eu', '-c', script], { cwd: folder, env });
  expect(stdout).toContain('review');

  const index = join(folder, 'registry/index');
  for (const path of Object.keys(readTree(index))) {
    if (parseIndexPath(path) === undefined) continue;
    const object = await store.read(path);
    expect(Buffer.from(object!.bytes).equals(readFileSync(join(index, path))), path).toBe(true);
  }
  // Pages for people are among them.
  expect(await store.read('index.html')).toBeDefined();
  expect(await requireWhole(async (path) => (await store.read(path))?.bytes)).toBe(2);
  const source = join(folder, 'registry/builds/bob/web/src/page.ts');
  const installed = readFileSync(join(folder, 'app/src/web/src/page.ts'));
  expect(installed.equals(readFileSync(source))).toBe(true);
  expect(
    readHead(index, 'bob/web').versions.map(({ version, status }) => [version, status]),
  ).toEqual([
    ['1.1.0', { is: 'open' }],
    ['1.0.0', { is: 'yanked', reason: 'Shows no page' }],
  ]);
});
