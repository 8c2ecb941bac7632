/** Makes the repository of a registry: files, `git init`, and the first commit. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Authentication } from '../../format/index/registry-info.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { GeneratorError } from '../errors.ts';
import { gitEnvironment } from '../git/repository.ts';
import { issueForms } from './issue-forms.ts';
import { MEASURING, registryWorkflows } from './registry-workflows.ts';
import type { HostKind } from '../../format/registry/registry-config.ts';

interface NewRegistry {
  /** The fields that it sets. */
  readonly config: {
    readonly name: string;
    readonly base_url: string;
    readonly origin?: string;
    readonly repository?: string;
    readonly code_host?: HostKind;
    readonly admins: readonly { readonly login: string; readonly account_id: number }[];
    readonly auth?: Authentication;
    readonly upstreams?: readonly { readonly address: string }[];
    /** The package that the workflows install; none: no workflows. */
    /** The folder of the registry in a repository that is there already. */
    readonly root?: string;
    readonly software?: { readonly address: string; readonly integrity: string };
  };
  /** Whose workflows it gets, and what runs them. */
  readonly host: { readonly kind: HostKind; readonly runner: string };
  /** The package of the software, where it is not fetched from an address; it becomes a file of the repository. */
  readonly package?: Uint8Array | undefined;
}

/**
 * @param folder absent or empty; with a root, the top of a repository
 * @returns the paths of the files
 * @throws {GeneratorError} `ERR_INIT_FOLDER` for a folder with files; nothing is written then
 */
export function initRegistry(folder: string, registry: NewRegistry): string[] {
  const top = resolve(folder);
  const isThere = existsSync(top);
  const { config } = registry;
  const files = registryFiles(registry);
  const isWithin = config.root !== undefined;
  const present = isWithin ? Object.keys(files) : isThere ? readdirSync(top) : [];
  const inTheWay = present.find((path) => existsSync(join(top, path)));
  if (inTheWay !== undefined || (isWithin && !existsSync(join(top, '.git')))) {
    const [problem, hint] = isWithin
      ? [
          inTheWay === undefined ? 'it is no git repository' : `it has "${inTheWay}"`,
          'with --root, give the top folder of a repository that has none of the files of a registry',
        ]
      : [
          'it holds files',
          'give a new or an empty folder; a clone or fork becomes a registry with "from" in registry.config.json, and a folder of a larger repository with --root',
        ];
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": ${problem}`,
      { hint },
    );
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
    commit(top, Object.keys(files), config.admins[0]?.login ?? 'admin', isWithin);
  } catch (cause) {
    const own = isWithin ? Object.keys(files) : readdirSync(top);
    for (const name of own) rmSync(join(top, name), { recursive: true, force: true });
    if (!isThere) rmSync(top, { recursive: true });
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": ${reason}`,
      { cause },
    );
  }
  return Object.keys(files);
}

/** Commits these files alone, with the identity of the user, or where git knows none with that of the first admin. */
function commit(top: string, paths: readonly string[], login: string, isWithin: boolean): void {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: top,
      env: gitEnvironment(),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  if (!isWithin) git('init', '-q', '-b', 'main');
  git('add', '-f', '--', ...paths);
  const isKnown = tryGit(git, 'config', 'user.email') !== '';
  const identity = isKnown
    ? []
    : ['-c', `user.name=${login}`, '-c', `user.email=${login}@users.noreply.invalid`];
  git(...identity, 'commit', '-q', '-m', 'Begin the registry', '--', ...paths);
}

function tryGit(git: (...args: string[]) => string, ...args: string[]): string {
  try {
    return git(...args).trim();
  } catch {
    return '';
  }
}

/** Path to content. */
function registryFiles({
  config,
  host,
  package: bytes,
}: NewRegistry): Record<string, string | Uint8Array> {
  const { software, root = '' } = config;
  const workflows = software === undefined ? {} : hostFiles(host, config);
  return {
    [CONFIG_FILE]: `${JSON.stringify(config, null, 2)}\n`,
    [`${root}builds/.gitkeep`]: '',
    [`${root}.gitignore`]: '/index/\n/.index.*\n/.ingest.*\nnode_modules/\n*.key\n',
    [`${root}README.md`]: readme(config),
    ...workflows,
    ...(software !== undefined && bytes !== undefined ? { [software.address]: bytes } : {}),
    ...(Object.keys(workflows).some((path) => path.startsWith(`${root}${MEASURING}`))
      ? { [`${root}${MEASURING}software.json`]: `${JSON.stringify({ software }, null, 2)}\n` }
      : {}),
  };
}

/** Path to text. */
function hostFiles(
  host: NewRegistry['host'],
  config: Parameters<typeof registryWorkflows>[1],
): Record<string, string> {
  return { ...registryWorkflows(host, config), ...issueForms(host.kind) };
}

function readme({ name, base_url: address, auth, root = '' }: NewRegistry['config']): string {
  const at = address === '' ? 'http://127.0.0.1:4173' : address;
  const place = at.replace(/^https?:/, '');
  // npm fetches the client with it, and the client reads it there.
  const line = auth?.scheme === 'basic' ? `_auth=<base64 of user:password>` : '_authToken=<token>';
  const more = auth?.help === undefined ? '' : `; how to get one: ${auth.help}`;
  const login =
    auth === undefined
      ? ''
      : `This registry is private. Your \`~/.npmrc\`, which only you may read, has the credential${more}:\n\n    ${place}/:${line}\n\n`;
  return `# ${name}

A registry of reusable project builds. Its index is generated from the history of this repository.

## Use a build

${login}\`\`\`sh
npx --yes ${at}/client/stackyard.tgz search
npx --yes ${at}/client/stackyard.tgz add <owner>/<name>
\`\`\`

## Publish a build

Put it below \`${root}builds/<your login>/<name>/\` with a \`stackyard.json\`, and the first time add
\`${root}builds/<your login>/owner.json\` with your account id: \`{ "account_id": 123 }\`. Open a pull request with nothing else.
It is judged by rules: merged, left to an admin, or refused with the reasons. The client does all of it:

\`\`\`sh
stackyard init && stackyard check && stackyard publish
\`\`\`

A published version never changes: correct it with a new one.

## Run it

With the program \`stackyard-registry\`, which is installed from a file (\`npm install --global <path of stackyard-registry-<version>.tgz>\`):

\`\`\`sh
stackyard-registry serve
\`\`\`
`;
}
