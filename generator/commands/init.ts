/** The command `init`: makes the repository of a registry. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { usageError } from '../errors.ts';
import { CODE_HOSTS } from '../host/code-host.ts';
import { initRegistry } from '../setup/init-registry.ts';
import { text, texts } from './fields.ts';

type NewRegistry = Parameters<typeof initRegistry>[1];

const STEPS = `What is left:
  1. Make a key for the log: stackyard-registry log:key > log.key; the printed key becomes "log": { "key": ... } in
     registry.config.json, and the private one the secret STACKYARD_LOG_KEY. Commit.
  2. Create an empty repository at the code host, name it as "repository" in registry.config.json, for the link to appeals,
     and push: git remote add origin <address> && git push -u origin main
  3. Set the code host up: with a token of yours in STACKYARD_HOST_TOKEN, stackyard-registry doctor names what is missing,
     and what to click. Keep log.key offline, and remove every other copy of it.
     Pages of a private repository are public, except on plans with access control for Pages.
  4. To measure ranges of builds at GitHub, push the folder measuring/ as a repository of its own, without secrets, and name
     it in the variable MATRIX_REPOSITORY here: measuring runs code of builds.
`;

const PRIVATE = `warning: Everybody reads the Pages of a private repository, except on plans with access control for Pages, whose login no program passes
hint: serve the index from a host that asks for credentials, or from the repository by git (docs/operate.md, "A private registry"); set the secret STACKYARD_HEADERS for runs that read BASE_URL
`;

const ADMIN = /^([A-Za-z0-9-]{1,39}):([1-9]\d{0,14})$/;
/** Of each host's own machines, or what a runner of your own is called. */
const RUNNERS = {
  github: 'ubuntu-24.04',
  gitea: 'ubuntu-latest',
  forgejo: 'docker',
};
const MAX_PACKAGE_BYTES = 100_000_000;

const Input = z.object({
  folder: z.string().meta({
    description: 'a new or an empty folder; with --root, the top of a repository',
    isArgument: true,
  }),
  admin: texts(
    'account',
    'an account that may approve pull requests, as <login>:<account id>; may be repeated',
  ),
  name: text('name', 'the name of the registry'),
  baseUrl: text('url', 'where the index will be served'),
  origin: text(
    'name',
    'the name of the registry at all its mirrors; by default host and path of the address',
  ),
  repository: text('url', 'the address of this repository, for "stackyard publish"'),
  auth: z.enum(['basic', 'bearer']).optional().meta({
    description: 'for a private registry: how its host takes credentials',
    placeholder: 'scheme',
  }),
  authHelp: text('url', 'a page for people about how to get a credential'),
  root: text(
    'folder',
    'the folder of the registry, such as "registry/", in a larger repository, whose top folder is given',
  ),
  upstream: texts('url', 'a registry in which requirements are looked up as well; may be repeated'),
  software: text(
    'package',
    'the package of this software that the workflows install: an address, or a file that is copied into the repository; its digest is written down; by default there are no workflows',
  ),
  host: z.enum(CODE_HOSTS).default('github').meta({ description: 'whose workflows it gets' }),
  runner: text('label', 'the label of what runs the workflows, with git and Node.js'),
});
type Input = z.infer<typeof Input>;

export const command = defineCommand({
  description:
    'Makes the git repository of a registry, with its configuration, a README for publishers, and the workflows of its code host. In a terminal it asks for what is missing',
  input: Input,
  notes: ['Exit status: 0 done; 1 the folder holds files or cannot be written; 2 wrong usage.'],
  examples: ['init registry --admin alice:123 --base-url https://registry.example.org'],
  run: async (given) => {
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    const input = isTerminal ? await ask(given) : given;
    const files = initRegistry(input.folder, await withSoftware(input, registryOf(input)));
    for (const file of files) console.log(`  + ${file}`);
    console.log(`Made the repository of a registry in "${input.folder}", with one commit`);
    process.stdout.write(STEPS);
    if (input.auth !== undefined) process.stderr.write(PRIVATE);
    return 0;
  },
});

/** Asks for what has no option; an empty answer leaves the default. */
async function ask(given: Input): Promise<Input> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = async (text: string): Promise<string | undefined> => {
    const answer = (await terminal.question(text)).trim();
    return answer === '' ? undefined : answer;
  };
  try {
    const name = given.name ?? (await question('Name of the registry: '));
    const baseUrl =
      given.baseUrl ?? (await question('Where its index will be served (empty: not known): '));
    const isNamed = given.admin.length > 0;
    const admin = isNamed
      ? given.admin
      : [(await question('Admin, as <login>:<account id>: ')) ?? ''];
    return { ...given, name, baseUrl, admin };
  } finally {
    terminal.close();
  }
}

/** @throws {GeneratorError} `ERR_USAGE` naming the option */
function registryOf(input: Input): NewRegistry {
  const admins = input.admin.map((text) => {
    const [, login, id] = ADMIN.exec(text) ?? [];
    if (login !== undefined) return { login, account_id: Number(id) };
    const problem = `Option --admin is ${JSON.stringify(text)}: it must be <login>:<account id>, such as alice:123`;
    throw usageError('init', problem);
  });
  if (admins.length === 0) {
    const problem = 'Option --admin is missing: a registry needs one, as <login>:<account id>';
    throw usageError('init', problem);
  }
  const {
    name = 'Registry',
    baseUrl = '',
    origin,
    repository,
    auth,
    authHelp,
    upstream,
    root,
  } = input;
  if (auth === undefined && authHelp !== undefined) {
    throw usageError('init', 'Option --auth-help is of no use without --auth');
  }
  const help = authHelp === undefined ? {} : { help: authHelp };
  const config = {
    name,
    base_url: baseUrl.replace(/\/+$/, ''),
    ...(origin === undefined ? {} : { origin }),
    ...(repository === undefined ? {} : { repository }),
    ...(input.host === 'github' ? {} : { code_host: input.host }),
    ...(auth === undefined ? {} : { auth: { scheme: auth, ...help } }),
    ...(root === undefined ? {} : { root }),
    admins,
    ...(upstream.length === 0 ? {} : { upstreams: upstream.map((address) => ({ address })) }),
  };
  try {
    parseDocument(RegistryConfig, Buffer.from(canonicalJson(config)), 'the options');
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw usageError('init', cause.message);
  }
  return { config, host: { kind: input.host, runner: input.runner ?? RUNNERS[input.host] } };
}

/** Reads the package once, so that its digest stands in the configuration. */
async function withSoftware({ software }: Input, registry: NewRegistry): Promise<NewRegistry> {
  if (software === undefined) return registry;
  const { bytes, isCopied, ...read } = await readSoftware('init', software, 'Option --software');
  const config = { ...registry.config, software: read.software };
  return { ...registry, config, package: isCopied ? bytes : undefined };
}

/** @throws {GeneratorError} `ERR_USAGE` of `command` */
export async function readSoftware(
  command: string,
  place: string,
  option: string,
): Promise<{
  readonly bytes: Uint8Array;
  readonly software: { readonly address: string; readonly integrity: string };
  /** Whether the package becomes a file of the repository. */
  readonly isCopied: boolean;
}> {
  const isCopied = !/^https?:\/\//.test(place);
  let bytes: Uint8Array;
  try {
    bytes = isCopied ? readFileSync(place) : await download(place);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw usageError(command, `${option} is ${JSON.stringify(place)}: ${problem}`);
  }
  const digest = createHash('sha512').update(bytes).digest('base64');
  const address = isCopied ? `.stackyard/${basename(place)}` : place;
  return { bytes, isCopied, software: { address, integrity: `sha512-${digest}` } };
}

async function download(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`it was answered with ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MAX_PACKAGE_BYTES) throw new Error(`it has ${bytes.length} bytes`);
  return bytes;
}
