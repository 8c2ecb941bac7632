/** Every command on the page "Verify" works, with the address of a registry and where a page takes its own. */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatNoteKey, noteSigner } from '../../format/log/note-key.ts';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(7));
const run = promisify(execFile);

interface Registry {
  readonly repo: string;
  readonly address: string;
  /** Commands of a guide, with the address of the server that has its index. */
  readonly commands: (section: string) => string[];
}

async function serve(out: string): Promise<string> {
  const server = await serveIndex(out, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @param written the address as pages have it */
async function registry(written: string, isSigned: boolean): Promise<Registry> {
  const git = new GitFixture();
  const log = isSigned ? { log: { key: formatNoteKey(SIGNER) } } : {};
  const place = written === '<registry>' ? { origin: 'registry.example' } : { base_url: written };
  git.commit({
    ...build('a/x', '1.0.0'),
    'registry.config.json': JSON.stringify({ name: 'Ours', ...place, ...log }),
  });
  const out = join(temporaryFolder(), 'index');
  const signers = isSigned ? [SIGNER] : [];
  await generate({ repo: git.folder, out, threads: 1, signers, client: await clientPackage() });
  const address = await serve(out);
  const commands = (section: string): string[] => {
    const text = readFileSync(join(out, section, 'index.md'), 'utf8');
    return Array.from(text.matchAll(/^( *)```sh\n(.*?)\n *```/gms)).map(([, indent, command]) => {
      return command!.replaceAll(`\n${indent}`, '\n').trim().replaceAll(written, address);
    });
  };
  return { repo: git.folder, address, commands };
}

/** A shell with the programs of a registry, and caches of its own. */
function shell(): (command: string, cwd: string) => Promise<string> {
  const home = temporaryFolder();
  const program = join(home, 'stackyard-registry');
  const entry = join(ROOT, 'generator/main.ts');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { ...process.env, HOME: home, npm_config_cache: join(home, 'npm'), XDG_CACHE_HOME: join(home, 'cache'),
    STACKYARD_STATE: join(home, 'state'), PATH: `${home}:${process.env['PATH']}` }; // oxfmt-ignore
  return async (command, cwd) => (await run('sh', ['-c', command], { cwd, env })).stdout;
}

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{ "name": "p", "type": "module" }\n');
  writeFileSync(join(folder, 'tsconfig.json'), '{}\n');
  return folder;
}

describe.each(['https://registry.example', '<registry>'])('with the address %s', (written) => {
  it('the page "Verify" names commands that work', async () => {
    const { repo, address, commands } = await registry(written, true);
    const sh = shell();
    const cwd = project();
    const all = commands('verify');
    const client = `npx --yes ${address}/client/stackyard.tgz`;
    await sh(`${client} add a/x --no-install --allow root`, cwd);
    expect(all).toEqual([
      `${client} verify`,
      `${client} registry audit`,
      `stackyard-registry audit ${address} --repo ../clone-of-the-registry`,
      `curl -fsS ${address}/log/checkpoint`,
    ]);
    expect(await sh(all[0]!, cwd)).toContain('builds: 1, files: ');
    expect(await sh(all[1]!, cwd)).not.toBe('');
    expect(await sh(all[2]!.replace('../clone-of-the-registry', repo), cwd)).not.toBe('');
    expect(await sh(all[3]!, cwd)).toContain('registry.example/log\n');
  });

  it('the page "Verify" of a registry without a key names no audit', async () => {
    const { address, commands } = await registry(written, false);
    expect(commands('verify')).toEqual([
      `npx --yes ${address}/client/stackyard.tgz verify`,
      `curl -fsS ${address}/log/checkpoint`,
    ]);
    await shell()(commands('verify')[1]!, temporaryFolder());
  });
});
