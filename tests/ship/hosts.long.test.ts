/**
 * The configurations of docs/operate.md in nginx and Caddy answer as the server of `npm start` does: status, headers and
 * bytes, for every file of an index, and for what is no file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isProgram } from '../../client/project/find-program.ts';
import { parseIndexPath } from '../../format/index/layout.ts';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { LOG } from '../generate/witness-fixture.ts';
import { config, filesOf, fullRepository } from '../site/site-fixture.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');

const ANY_ORIGIN = 'access-control-allow-origin';

interface Host {
  readonly program: string;
  /** How it is installed. */
  readonly install: string;
  /** Language of its block in the document. */
  readonly block: string;
  /** The files of its configuration, and its arguments. */
  readonly settings: (block: string, folder: string) => { file: string; text: string; args: string[] }; // oxfmt-ignore
}

const HOSTS: readonly Host[] = [
  {
    program: 'nginx',
    install: 'apt-get install nginx-light',
    block: 'nginx',
    settings: (block, folder) => {
      const file = join(folder, 'nginx.conf');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`); // oxfmt-ignore
      const text = `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events { }\nhttp { access_log off; ${paths.join(' ')}\n${block}}\n`;
      return { file, text, args: ['-c', file, '-e', join(folder, 'errors')] };
    },
  },
  {
    program: 'caddy',
    install:
      'apt-get install caddy, or go install github.com/caddyserver/caddy/v2/cmd/caddy@latest',
    block: 'caddyfile',
    settings: (block, folder) => {
      const file = join(folder, 'Caddyfile');
      const text = `{\n\tadmin off\n\tauto_https off\n}\n${block}`;
      return { file, text, args: ['run', '--config', file, '--adapter', 'caddyfile'] };
    },
  },
];

/** An index with everything that one can have. */
async function makeIndex(): Promise<string> {
  const git = fullRepository();
  git.commit(config({ base_url: 'https://registry.example' }));
  const out = join(temporaryFolder(), 'index');
  await generate({ repo: git.folder, out, threads: 1, signers: [LOG], client: await clientPackage() }); // oxfmt-ignore
  return out;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startHost(
  { program, install, block, settings }: Host,
  out: string,
): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (!folders.some((folder) => isProgram(join(folder, program)))) {
    throw new Error(`Cannot find program "${program}": install it with ${install}`);
  }
  const [, own] = new RegExp(`\`\`\`${block}\n(.*?)\`\`\``, 's').exec(DOCUMENT)!;
  const port = await freePort();
  const changed = own!
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/^:80 /m, `http://127.0.0.1:${port} `)
    .replace('/var/www/registry', out);
  const folder = temporaryFolder();
  const { file, text, args } = settings(changed, folder);
  writeFileSync(file, text);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => (errors += more));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(url).then(
        () => true,
        () => errors,
      ),
    ) // oxfmt-ignore
    .toBe(true);
  return url;
}

/** Of one connection, or of one program: not of the answer. `npm start` lets no page of another origin read it. */
const OWN = ['connection', 'date', 'keep-alive', 'server', 'transfer-encoding', 'vary', 'alt-svc', ANY_ORIGIN]; // oxfmt-ignore
/** Each server has its own, and sends them at least with whole files (RFC 9110, 15.3.7 and 15.4.5). */
const PRESENT = ['accept-ranges', 'etag', 'last-modified'];

async function answerOf(
  base: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
) {
  const plain = { 'accept-encoding': 'identity', ...headers };
  const response = await fetch(base + path, { headers: plain, method, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  const fields = Array.from(response.headers)
    .filter(([name]) => !OWN.includes(name))
    .filter(([name]) => response.status === 200 || !PRESENT.includes(name))
    .map(([name, value]) => [name, PRESENT.includes(name) ? 'present' : value]);
  return { status: response.status, headers: Object.fromEntries(fields) as object, body, response };
}

/** `/builds/a/index.html` is served for `/builds/a/` as well. */
function addressesOf(file: string): string[] {
  const path = `/${file.split('/').map(encodeURIComponent).join('/')}`;
  return path.endsWith('/index.html') ? [path.slice(0, -'index.html'.length)] : [path];
}

it.each(HOSTS)('$program answers as npm start does', async (host) => {
  const out = await makeIndex();
  chmodSync(join(out, '..'), 0o755);
  // Items for shadcn need builds of another kind than these.
  mkdirSync(join(out, 'r/alice'), { recursive: true });
  for (const name of ['web', 'web@1.0.0']) writeFileSync(join(out, `r/alice/${name}.json`), '{}\n');
  mkdirSync(join(out, '.stage'));
  cpSync(join(out, 'registry.json'), join(out, '.stage/registry.json'));
  const server = await serveIndex(out, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const ours = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const theirs = await startHost(host, out);
  const files = filesOf(out).filter((file) => !file.startsWith('.'));
  const kinds = new Set(files.map((file) => parseIndexPath(file)?.kind));
  const all = ['tarball', 'shard', 'log', 'map-file', 'client', 'schema', 'page'];
  expect(all.filter((kind) => !kinds.has(kind as never))).toEqual([]);
  const differences: unknown[] = [];
  const compare = async (path: string, headers = {}, method = 'GET'): Promise<void> => {
    const [a, b] = [await answerOf(ours, path, headers, method), await answerOf(theirs, path, headers, method)]; // oxfmt-ignore
    const [own, other] = [a, b].map(({ status, headers: all }) => JSON.stringify([status, all]));
    const isOpen = b.response.headers.get(ANY_ORIGIN) === '*';
    const isSame =
      isOpen && own === other && (a.status !== 200 || Buffer.compare(a.body, b.body) === 0);
    if (!isSame) differences.push({ path, method, sent: headers, own, other });
  };
  expect(files.length).toBeGreaterThan(100);
  for (const path of files.flatMap(addressesOf)) await compare(path);
  for (const path of ['/', '/registry.json', '/builds/alice/web/', '/log/checkpoint']) {
    await compare(path, {}, 'HEAD');
    await compare(path, { range: 'bytes=2-5' });
    for (const [name, from] of [
      ['if-none-match', 'etag'],
      ['if-modified-since', 'last-modified'],
    ]) {
      // oxfmt-ignore
      const [a, b] = await Promise.all(
        [ours, theirs].map(async (base) => {
          const { response } = await answerOf(base, path, {});
          return answerOf(base, path, { [name!]: response.headers.get(from!)! });
        }),
      );
      expect([path, name, b!.status, b!.headers]).toEqual([path, name, 304, a!.headers]);
    }
  }
  const missing = ['/nothing', '/builds/alice/nothing/', '/builds/alice/web/9.9.9.tgz'];
  const more = ['/catalog/nothing.json', '/assets/nothing.css', '/log/tile/0/999', '/r/x@1.json'];
  for (const path of [...missing, ...more, '/.stage/registry.json', '/log/.x', '/nothing.md']) {
    await compare(path);
    const { status, body } = await answerOf(theirs, path, {});
    expect([path, status, body]).toEqual([path, 404, readFileSync(join(out, '404.html'))]);
  }
  expect(differences).toEqual([]);
  // A redirect names the same page, with a status of its own.
  for (const base of [ours, theirs]) {
    const { status, response } = await answerOf(base, '/builds/alice/web?x=1', {});
    expect([301, 308]).toContain(status);
    const to = new URL(response.headers.get('location')!, `${base}/builds/alice/web`);
    expect(to.origin + to.pathname).toBe(`${base}/builds/alice/web/`);
    const packed = await answerOf(base, '/builds/alice/web/', { 'accept-encoding': 'gzip' });
    expect(packed.response.headers.get('content-encoding')).toBe('gzip');
    expect(packed.response.headers.get('vary')).toMatch(/accept-encoding/i);
  }
});
