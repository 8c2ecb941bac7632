/** The bytes of the client that a registry serves, and what the program `generate` does with it. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import type { GenerateOptions } from '../../generator/pipeline/pipeline.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { provideNode, runNpm } from '../run/provide-node.ts';
import type { Ended } from '../run/script-process.ts';

const ROOT = join(import.meta.dirname, '../..');

function registry(): string {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0'));
  return git.folder;
}

const run = (...args: string[]): Promise<Ended> =>
  runCommand('generate', [...args, '--no-site', '--threads', '1']);

describe('clientPackage()', () => {
  it('has the same bytes on another Node.js, in another folder, without a cache', async () => {
    const [here, cache] = [await clientPackage(), temporaryFolder()];
    const code = `import { clientPackage } from ${JSON.stringify(join(ROOT, 'generator/client-package/client-package.ts'))};
      console.log((await clientPackage(undefined, ${JSON.stringify(cache)})).integrity, process.version);`;
    const args = ['--experimental-strip-types', '--input-type=module', '--eval', code];
    const options = { cwd: temporaryFolder(), encoding: 'utf8', stdio: 'pipe' } as const;
    const printed = execFileSync(await provideNode('22.12.0'), args, options);
    expect(printed).toBe(`${here?.integrity} v22.12.0\n`);
  });

  it('is one program without dependencies', async () => {
    const client = await clientPackage();
    const entries = new Map(readTarball(client!.bytes).map(({ path, bytes }) => [path, bytes]));
    const isPart = (path: string): boolean => /^dist\/(?!stackyard\.)[\w-]+\.mjs$/.test(path);
    expect([...entries.keys()].filter((path) => !isPart(path))).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES',
      'dist/stackyard.mjs',
      'package.json',
    ]);
    const manifest: unknown = JSON.parse(Buffer.from(entries.get('package.json')!).toString());
    expect(manifest).toMatchObject({ name: 'stackyard', version: client?.version });
    for (const absent of ['dependencies', 'exports', 'files', 'scripts']) {
      expect(manifest).not.toHaveProperty(absent);
    }
    for (const bytes of entries.values()) expect(Buffer.from(bytes).includes(ROOT)).toBe(false);
  });

  it('is absent where the generator has no client', async () => {
    expect(await clientPackage(temporaryFolder(), temporaryFolder())).toBeUndefined();
  });
});

describe('generate() with a client', () => {
  it('serves it under both names, replaces it in an incremental run, and removes it without one', async () => {
    const [repo, out] = [registry(), join(temporaryFolder(), 'index')];
    const served = (): string[] =>
      Object.keys(readTree(out)).filter((path) => path.startsWith('client/'));
    const made = (version: string): GenerateOptions['client'] => {
      const bytes = Buffer.from(`client ${version}`);
      return { version, bytes, integrity: integrityOf(bytes) };
    };
    const first = await generateDocuments({ repo, out, threads: 1, client: made('1.0.0') });
    expect(served()).toEqual(['client/stackyard-1.0.0.tgz', 'client/stackyard.tgz']);
    const files = (): number => Object.keys(readTree(out)).length;
    expect(first).toMatchObject({ written: files(), unchanged: 0 });
    const second = await generateDocuments({ repo, out, threads: 1, client: made('1.1.0') });
    expect(served()).toEqual(['client/stackyard-1.1.0.tgz', 'client/stackyard.tgz']);
    expect([second.isFull, second.written + second.unchanged]).toEqual([false, files()]);
    const { client } = JSON.parse(readFileSync(join(out, 'registry.json'), 'utf8')) as {
      client: { path: string; integrity: string };
    };
    expect(integrityOf(readFileSync(join(out, client.path)))).toBe(client.integrity);
    await generateDocuments({ repo, out, threads: 1 });
    expect(served()).toEqual([]);
    expect(readFileSync(join(out, 'registry.json'), 'utf8')).not.toContain('client');
  });
});

describe('npm install --global of a served client', () => {
  it('keeps the address of the registry', async () => {
    const [git, out, prefix] = [new GitFixture(), temporaryFolder(), temporaryFolder()];
    const server = createServer((request, response) => {
      const file = join(out, new URL(request.url ?? '/', 'http://x').pathname);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const base_url = `http://127.0.0.1:${port}`;
    git.commit({
      ...build('a/x', '1.0.0'),
      'registry.config.json': JSON.stringify({ name: 'Test', base_url }),
    });
    await generateDocuments({ repo: git.folder, out, threads: 1, client: await clientPackage() });
    await runNpm(prefix, [
      'install',
      '--global',
      '--prefix',
      prefix,
      `${base_url}/client/stackyard.tgz`,
    ]);
    const env = { ...process.env, STACKYARD_REGISTRY: '', STACKYARD_CACHE: temporaryFolder() };
    const args = ['search', 'kind:module', '--json'];
    const found = await promisify(execFile)(join(prefix, 'bin/stackyard'), args, { env });
    expect(found.stdout).toContain('a/x');
  });
});

describe('npm run generate', () => {
  it('--client serves that file, --no-client none', async () => {
    const [repo, folder] = [registry(), temporaryFolder()];
    const given = join(folder, 'given.tgz');
    writeFileSync(given, (await clientPackage())!.bytes);
    const outs = [join(folder, 'given'), join(folder, 'none')] as const;
    expect(await run('--repo', repo, '--out', outs[0], '--client', given)).toMatchObject({
      status: 0,
    });
    expect(readFileSync(join(outs[0], 'client/stackyard.tgz')).equals(readFileSync(given))).toBe(
      true,
    );
    expect(await run('--repo', repo, '--out', outs[1], '--no-client')).toMatchObject({ status: 0 });
    expect(existsSync(join(outs[1], 'client'))).toBe(false);
  });

  it('refuses a file that is no client, with nothing written', async () => {
    const [repo, folder] = [registry(), temporaryFolder()];
    writeFileSync(join(folder, 'text.tgz'), 'hello');
    const cases = [
      [['--client', join(folder, 'text.tgz')], 1, 'Cannot serve a client'],
      [['--client', join(folder, 'none.tgz')], 2, 'there is no such file'],
      [['--client', 'x', '--no-client'], 2, 'Option --client cannot be used with --no-client'],
    ] as const;
    for (const [args, status, message] of cases) {
      const out = join(folder, 'index');
      const ended = await run('--repo', repo, '--out', out, ...args);
      expect(ended).toMatchObject({ status, stderr: expect.stringContaining(message) as string });
      expect(ended.stderr).toContain('hint:');
      expect(existsSync(join(out, 'registry.json'))).toBe(false);
    }
  });
});
