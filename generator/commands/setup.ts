/** The command `setup`, and what it and `doctor` read for it: options, configuration, environment. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { readConfigFile } from '../config.ts';
import { usageError } from '../errors.ts';
import { gitEnvironment } from '../git/repository.ts';
import { HOST_KINDS, type HostKind } from '../../format/registry/registry-config.ts';
import { signersFrom } from '../log/log-files.ts';
import type { HostPlan } from '../setup/host-settings.ts';
import { setUpHost } from '../setup/host-setup.ts';
import { flag, json, repo, text, texts } from './fields.ts';

export const HOST_TOKEN = 'STACKYARD_HOST_TOKEN';
const LOG_KEY = 'STACKYARD_LOG_KEY';

export const hostFields = {
  host: z
    .enum(HOST_KINDS)
    .optional()
    .meta({ description: 'what the code host is; by default whose workflows the repository has' }),
  repository: text(
    'place',
    'the repository at the code host, as <owner>/<name> or its address; by default "repository" of the configuration, or the remote "origin"',
  ),
  api: text('url', 'the interface of the code host; by default the usual one of its address'),
};

export const command = defineCommand({
  description:
    'Sets the repository of a registry up at its code host: labels, the key or account that may push, protection of main, variables, secrets, Pages, the first run. It looks before each step, so that a second run changes nothing',
  input: z.object({
    repo,
    ...hostFields,
    variable: texts(
      'name=value',
      'a variable of the workflows, such as BUCKET=s3://registry/main; may be repeated',
    ),
    secret: texts(
      'name',
      'a secret of the workflows that this variable of the environment has; may be repeated',
    ),
    dryRun: flag('only print what would be made'),
    json,
  }),
  notes: [
    `Environment: ${HOST_TOKEN} is a token of an admin of the repository; it is neither stored nor printed. ${LOG_KEY} becomes a secret. STACKYARD_TOKEN is a token of the account that pushes, at Gitea and Forgejo.`,
    'Exit status: 0 everything is there; 1 a step could not be taken; 2 wrong usage.',
  ],
  examples: ['setup --dry-run', 'setup --variable BUCKET=s3://registry/main'],
  run: async ({ dryRun, json: isJson, ...options }) => {
    const outcomes = await setUpHost(hostPlan('setup', options, process.env), dryRun);
    if (isJson) console.log(JSON.stringify({ outcomes }, null, 2));
    else
      for (const { name, state, text: about } of outcomes)
        console.log(`${state.padEnd(14)}${name}: ${about}`);
    return outcomes.some(({ state }) => state === 'cannot') ? 1 : 0;
  },
});

interface Options {
  readonly repo: string;
  readonly host?: HostKind | undefined;
  readonly repository?: string | undefined;
  readonly api?: string | undefined;
  readonly variable?: readonly string[];
  readonly secret?: readonly string[];
}

/** @throws {GeneratorError} `ERR_USAGE` naming what is missing */
export function hostPlan(
  command: string,
  { repo: folder, variable = [], secret = [], ...options }: Options,
  env: Readonly<Record<string, string | undefined>>,
): HostPlan {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const config = readConfigFile(command, join(folder, CONFIG_FILE));
  const token = given(HOST_TOKEN);
  if (token === undefined) throw usageError(command, `Variable "${HOST_TOKEN}" is missing`);
  const kind = options.host ?? kindOf(folder);
  if (kind === undefined) throw usageError(command, 'Option --host is missing');
  const place = placeOf(options.repository ?? config.repository ?? originOf(folder), kind);
  if (place === undefined) {
    const problem = 'Option --repository must be the address of the repository at its code host';
    throw usageError(command, problem);
  }
  const logKey = given(LOG_KEY);
  const keys = signersFrom(logKey).map(formatNoteKey);
  const { key } = config.log;
  if (logKey !== undefined && key !== undefined && !keys.includes(key)) {
    throw usageError(command, `Variable "${LOG_KEY}" is not the private key of "${key}"`);
  }
  const variables = variable.map((text): [string, string] => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.+)$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name, value];
    throw usageError(
      command,
      `Option --variable is ${JSON.stringify(text)}: it must be NAME=value`,
    );
  });
  const secrets = secret.map((name): [string, string | undefined] => [name, given(name)]);
  const { server } = place;
  const usual = {
    github: server === 'https://github.com' ? 'https://api.github.com' : `${server}/api/v3`,
    gitea: `${server}/api/v1`,
    forgejo: `${server}/api/v1`,
    gitlab: `${server}/api/v4`,
  };
  return {
    ...place,
    kind,
    token,
    api: options.api ?? usual[kind],
    waitSeconds: Number(given('CODE_HOST_WAIT_SECONDS') ?? '1'),
    isShared: config.root !== '',
    pushToken: given('STACKYARD_TOKEN'),
    variables: {
      ...(config.base_url !== '' && { BASE_URL: config.base_url }),
      ...Object.fromEntries(variables),
    },
    secrets: {
      ...((key ?? logKey) !== undefined && { [LOG_KEY]: logKey }),
      ...Object.fromEntries(secrets),
    },
  };
}

/** By the files that `init` wrote. */
export function kindOf(folder: string): HostKind | undefined {
  return HOST_KINDS.find((kind) => {
    const file = kind === 'gitlab' ? '.gitlab-ci.yml' : `.${kind}/workflows/publish.yml`;
    return existsSync(join(folder, file));
  });
}

/** @param text an address, or owner and name at the host of the public */
function placeOf(
  text: string,
  kind: HostKind,
): { readonly server: string; readonly repository: string } | undefined {
  if (/^[\w.-]+\/[\w.-]+$/.test(text)) {
    const server = kind === 'github' ? 'https://github.com' : 'https://gitlab.com';
    return kind === 'github' || kind === 'gitlab' ? { server, repository: text } : undefined;
  }
  const address = /^[\w.-]+@[\w.-]+:/.test(text) ? `ssh://${text.replace(':', '/')}` : text;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(address);
  const repository = pathname.replace(/^\/+|(?:\.git)?\/*$/g, '');
  if (!/^(?:https?|ssh):$/.test(protocol) || !repository.includes('/')) return undefined;
  const server = protocol === 'ssh:' ? `https://${hostname}` : `${protocol}//${host}`;
  return { server, repository };
}

function originOf(folder: string): string {
  try {
    const args = ['remote', 'get-url', 'origin'];
    const options = { cwd: resolve(folder), env: gitEnvironment(), stdio: 'pipe' } as const;
    return execFileSync('git', args, { ...options, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
