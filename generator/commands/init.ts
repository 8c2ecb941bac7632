/** The command `init`: makes the repository of a registry. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { RegistryConfig, CODE_HOSTS } from '../../format/registry/registry-config.ts';
import { usageError } from '../errors.ts';
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
  root: text(
    'folder',
    'the folder of the registry, such as "registry/", in a larger repository, whose top folder is given',
  ),
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
    'Makes the git repository of a registry, with its configuration, a README for publishers, and the workflows of its code host',
  input: Input,
  notes: ['Exit status: 0 done; 1 the folder holds files or cannot be written; 2 wrong usage.'],
  examples: ['init registry --admin alice:123 --base-url https://registry.example.org'],
  run: async (input) => {
    const files = initRegistry(input.folder, await withSoftware(input, registryOf(input)));
    for (const file of files) console.log(`  + ${file}`);
    console.log(`Made the repository of a registry in "${input.folder}", with one commit`);
    process.stdout.write(STEPS);
    if (input.auth !== undefined) process.stderr.write(PRIVATE);
    return 0;
  },
});

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
  const { name = 'Registry', baseUrl = '', origin, repository, auth, root } = input;
  const config = {
    name,
    base_url: baseUrl.replace(/\/+$/, ''),
    ...(origin === undefined ? {} : { origin }),
    ...(repository === undefined ? {} : { repository }),
    ...(input.host === 'github' ? {} : { code_host: input.host }),
    ...(auth === undefined ? {} : { auth: { scheme: auth } }),
    ...(root === undefined ? {} : { root }),
    admins,
  };
  try {
    parseDocument(RegistryConfig, Buffer.from(canonicalJson(config)), 'the options');
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw usageError('init', cause.message);
  }
  return { config, host: { kind: input.host, runner: input.runner ?? RUNNERS[input.host] } };
}

/** Reads the package once, so that its digest stands in the configuration. @throws {GeneratorError} `ERR_USAGE` */
async function withSoftware(
  { software: place }: Input,
  registry: NewRegistry,
): Promise<NewRegistry> {
  if (place === undefined) return registry;
  const isRemote = /^https?:\/\//.test(place);
  let bytes: Uint8Array;
  try {
    bytes = isRemote ? await download(place) : readFileSync(place);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw usageError('init', `Option --software is ${JSON.stringify(place)}: ${problem}`);
  }
  const digest = createHash('sha512').update(bytes).digest('base64');
  const address = isRemote ? place : `.stackyard/${basename(place)}`;
  const config = { ...registry.config, software: { address, integrity: `sha512-${digest}` } };
  return { ...registry, config, package: isRemote ? undefined : bytes };
}

async function download(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`it was answered with ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MAX_PACKAGE_BYTES) throw new Error(`it has ${bytes.length} bytes`);
  return bytes;
}
