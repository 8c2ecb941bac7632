/** The commands of docs/operate.md, "A private registry", with the packed programs, an empty home, and nginx that asks for a password. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { MAIN } from '../client/client-process.ts';
import { installRegistry } from './packed-registry.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
const PASSWORD = 's3cr3t-word';
const run = promisify(execFile);

const nginxBlock = (info: string): string =>
  new RegExp(`\`\`\`${info}\\n([^]*?)\`\`\``).exec(PAGE)![1]!;

/** nginx with the configuration of the page; the private lines stand in its server. */
async function startNginx(folder: string): Promise<string> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await promisify(free.close.bind(free))();
  const users = join(folder, 'users');
  const { stdout } = await run('openssl', ['passwd', '-apr1', PASSWORD]);
  writeFileSync(users, `alice:${stdout}`);
  const server = nginxBlock('nginx')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/var/www/registry', join(folder, 'www'))
    .replace(
      '  index index.html;',
      nginxBlock('nginx private').replace('/etc/nginx/registry.users', users),
    );
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const file = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  writeFileSync(
    file,
    `${user}daemon off; pid ${folder}/pid; error_log ${folder}/errors; events { }\nhttp { access_log off; ${temporary}\n${server}}\n`,
  );
  const nginx = spawn('nginx', ['-c', file, '-e', join(folder, 'errors')], { stdio: 'inherit' });
  onTestFinished(() => void nginx.kill());
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401);
  return url;
}

it('from an empty folder to an installable, private registry, on a host and in a git repository', async () => {
  const folder = temporaryFolder();
  const { program, home } = await installRegistry(folder);
  mkdirSync(join(folder, 'www'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'stackyard'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(join(bin, 'stackyard'), 0o755);
  const address = await startNginx(folder);
  const env = {
    HOME: home,
    PATH: `${bin}:${dirname(program)}:${dirname(process.execPath)}:${process.env['PATH']}`,
    ADDRESS: address,
    HOST: new URL(address).host,
    WWW: join(folder, 'www'),
    PASSWORD,
  };
  const script = [...PAGE.matchAll(/^```sh private\n([^]*?)^```$/gm)]
    .map(([, text]) => text)
    .join('');
  const { stdout, stderr } = await run('sh', ['-eu', '-c', script], { cwd: folder, env });
  expect(stdout + stderr).not.toContain(PASSWORD);
  const source = readFileSync(join(folder, 'registry/builds/alice/web/src/page.ts'), 'utf8');
  for (const app of ['app', 'team']) {
    expect(readFileSync(join(folder, app, 'src/web/src/page.ts'), 'utf8')).toBe(source);
    const lock = readFileSync(join(folder, app, 'stackyard.lock.json'), 'utf8');
    expect(lock).not.toMatch(new RegExp(`${PASSWORD}|${btoa(`alice:${PASSWORD}`)}`));
  }
  // Without a password nothing but registry.json is shown.
  const open = await fetch(`${address}/registry.json`);
  expect(await open.json()).toMatchObject({ auth: { scheme: 'basic' } });
  for (const path of ['heads/alice/web.json', 'client/stackyard.tgz', 'index.html']) {
    expect((await fetch(`${address}/${path}`)).status).toBe(401);
  }
});
