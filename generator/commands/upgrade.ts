/** The command `upgrade`: raises the version of this software in a registry, as a branch and a pull request. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { readConfigFile } from '../config.ts';
import { GeneratorError, usageError } from '../errors.ts';
import { gitEnvironment } from '../git/repository.ts';
import { HOST_KINDS } from '../../format/registry/registry-config.ts';
import { requestsTo } from '../host/code-host.ts';
import { pushBranch } from '../host/push.ts';
import { programVersion } from '../packaged.ts';
import { WRITTEN_FILE, digestOf, hostFiles, writtenRecord } from '../setup/init-registry.ts';
import { MEASURING } from '../setup/registry-workflows.ts';
import { flag, repo } from './fields.ts';
import { readSoftware } from './init.ts';
import { HOST_TOKEN, hostFields, hostPlan } from './setup.ts';

/** Where `init` copies a package to. */
const COPIES = '.stackyard/';
const Written = z.object({
  kind: z.enum(HOST_KINDS),
  runner: z.string(),
  files: z.record(
    z.string().refine((path) => !path.split('/').includes('..') && !path.startsWith('/')),
    z.string(),
  ),
});

export const command = defineCommand({
  description:
    'Raises the version of this software in a registry: the address and digest in registry.config.json, the copied package, and the files that init wrote and nobody changed, in a commit on a branch "software-<version>", which it pushes and proposes. Run that of the new package',
  input: z.object({
    package: z.string().meta({
      description: 'the new package: an address, or a file that is copied into the repository',
      isArgument: true,
    }),
    repo,
    ...hostFields,
    noPullRequest: flag('only make the branch here, and do not push it'),
  }),
  notes: [
    `Environment: ${HOST_TOKEN} is a token that may open pull requests; it is neither stored nor printed. git pushes with its own.`,
    'Exit status: 0 done, or nothing to raise; 1 git or the code host refuses; 2 wrong usage.',
  ],
  examples: ['upgrade https://files.acme.example/stackyard-registry-0.2.0.tgz'],
  run: async ({ package: place, repo: folder, noPullRequest, ...options }) => {
    const read = await readSoftware('upgrade', place, 'Argument <package>');
    const version = versionOf(read.bytes);
    if (version !== programVersion()) {
      const problem = `The package is version ${version}, and this program is ${programVersion()}`;
      const hint = `run the program of the package: npx --yes ${place} upgrade ${place}`;
      throw new GeneratorError('ERR_USAGE', problem, { hint });
    }
    const plan = noPullRequest
      ? undefined
      : hostPlan('upgrade', { repo: folder, ...options }, process.env);
    const branch = `software-${version}`;
    const left = raise(resolve(folder), branch, version, read);
    if (left === undefined) {
      console.log(`Nothing to raise: registry.config.json names this package of ${version}`);
      return 0;
    }
    console.log(`Made the branch ${branch}, with one commit`);
    for (const path of left) console.log(`  left as it is, because it was changed: ${path}`);
    if (plan === undefined) return 0;
    await pushBranch(resolve(folder), branch, 'origin');
    const title = titleOf(version);
    const list = left.map((path) => `\n- ${path}`).join('');
    const body = `See "For operators" in CHANGELOG.md of the software.${left.length > 0 ? ` Changed here, and left as it is:${list}` : ''}`;
    const isGitLab = plan.kind === 'gitlab';
    const Made = z.object({ html_url: z.string() }).or(z.object({ web_url: z.string() }));
    const made = isGitLab
      ? { source_branch: branch, target_branch: 'main', title, description: body }
      : { head: branch, base: 'main', title, body };
    const path = isGitLab ? '/merge_requests' : '/pulls';
    const answer = await requestsTo(plan.kind, plan).send('POST', path, made, false);
    console.log(`Proposed it: ${Object.values(Made.parse(answer)).join('')}`);
    return 0;
  },
});

function titleOf(version: string): string {
  return `Raise stackyard-registry to ${version}`;
}

/** @throws {GeneratorError} `ERR_USAGE` for another package */
function versionOf(bytes: Uint8Array): string {
  try {
    const text = execFileSync('tar', ['-xzO', 'package/package.json'], {
      input: bytes,
      stdio: 'pipe',
    });
    const { name, version } = JSON.parse(text.toString()) as { name: string; version: string };
    if (name === 'stackyard-registry' && /^[\w.+-]{1,50}$/.test(version)) return version;
  } catch {
    // The message is the same for each way in which it is none.
  }
  throw usageError('upgrade', 'Argument <package> is no package "stackyard-registry"');
}

/**
 * Commits on a new branch, in a work tree of its own.
 * @returns the paths that a person changed; `undefined` where the configuration names the package already
 * @throws {GeneratorError} `ERR_GIT`; the branch is gone then
 */
function raise(
  folder: string,
  branch: string,
  version: string,
  { bytes, software, isCopied }: Awaited<ReturnType<typeof readSoftware>>,
): string[] | undefined {
  const scratch = mkdtempSync(join(tmpdir(), 'stackyard-upgrade-'));
  const tree = join(scratch, 'registry');
  runGit(folder, 'worktree', 'add', '-q', '-b', branch, tree, 'HEAD');
  let isMade = false;
  try {
    const file = join(tree, CONFIG_FILE);
    const config = readConfigFile('upgrade', file);
    const { software: old } = config;
    if (old?.address === software.address && old.integrity === software.integrity) return undefined;
    if (old?.address.startsWith(COPIES) === true) {
      rmSync(join(tree, COPIES, basename(old.address)), { force: true });
    }
    const text = readFileSync(file, 'utf8');
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    writeFileSync(
      file,
      applyEdits(text, modify(text, ['software'], software, { formattingOptions })),
    );
    if (isCopied) write(tree, software.address, bytes);
    const measuring = `${config.root}${MEASURING}software.json`;
    if (existsSync(join(tree, measuring))) {
      write(tree, measuring, `${JSON.stringify({ software }, null, 2)}\n`);
    }
    const left = renew(tree, config);
    runGit(tree, 'add', '-A', '-f');
    runGit(tree, 'commit', '-q', '-m', titleOf(version));
    isMade = true;
    return left;
  } finally {
    runGit(folder, 'worktree', 'remove', '--force', tree);
    if (!isMade) runGit(folder, 'branch', '-q', '-D', branch);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Replaces the files that `init` wrote. @returns those that a person changed or removed */
function renew(tree: string, config: Parameters<typeof hostFiles>[1]): string[] {
  const record = join(tree, WRITTEN_FILE);
  if (!existsSync(record)) return [`the workflows: there is no ${WRITTEN_FILE}`];
  const { files: old, ...host } = parseDocument(Written, readFileSync(record), WRITTEN_FILE);
  const files = hostFiles(host, config);
  const left: string[] = [];
  for (const path of new Set([...Object.keys(old), ...Object.keys(files)])) {
    const file = join(tree, path);
    const now = existsSync(file) ? digestOf(readFileSync(file, 'utf8')) : undefined;
    const next = files[path];
    if (now !== old[path] && now !== (next && digestOf(next))) left.push(path);
    else if (next === undefined) rmSync(file, { force: true });
    else write(tree, path, next);
  }
  write(tree, WRITTEN_FILE, writtenRecord(host, files));
  return left;
}

function write(tree: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
}

function runGit(folder: string, ...args: string[]): void {
  try {
    execFileSync('git', args, { cwd: folder, env: gitEnvironment(), stdio: 'pipe' });
  } catch (cause) {
    const { stderr } = cause as { stderr?: Buffer };
    const problem = `git ${args[0]} failed: ${String(stderr).trim()}`;
    throw new GeneratorError('ERR_GIT', problem, { cause });
  }
}
