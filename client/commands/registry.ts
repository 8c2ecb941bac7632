/** `registry`: names, lists, removes and moves the registries that a project uses; checks all that one serves against its log. */
import {
  addRegistry,
  moveOwner,
  moveRegistry,
  parseLogPolicy,
  removeRegistry,
  stateLogPolicy,
} from '../change/lock-registries.ts';
import { z } from 'zod';
import { auditIndex } from '../../format/audit/audit-index.ts';
import { type Lock } from '../../format/project/lock.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { define, word } from '../terminal/options.ts';
import { ClientError } from '../errors.ts';
import { changeLock, type LockChange } from '../apply/change-lock.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { registryOpener, withRegistry } from '../registry/open-registry.ts';
import { chooseProject } from '../project/choose-project.ts';
import { lockIfAny, readLock } from '../project/project.ts';
import type { Registry } from '../registry/registry.ts';

const Input = z.object({
  action: z
    .enum(['add', 'list', 'remove', 'move', 'audit'])
    .meta({ description: 'what to do', isArgument: true }),
  words: z
    .array(z.string())
    .default([])
    .meta({ description: 'the arguments of the action', isArgument: true }),
  key: word('with add: the public key that must sign the log of the registry', 'key'),
});

type RegistryAction = z.infer<typeof Input>['action'];

/** The arguments of each action, for messages. */
const USAGE: Readonly<Record<RegistryAction, string>> = {
  add: '<name> <address>',
  list: '',
  remove: '<name>',
  move: '<owner> <name>" or "stackyard registry move <name> <address>',
  audit: '[<name or address>]',
};
const COUNTS: Readonly<Record<RegistryAction, readonly number[]>> = {
  add: [2],
  list: [0],
  remove: [1],
  move: [2],
  audit: [0, 1],
};

/**
 * @param words the arguments after the action
 * @throws {ClientError} `ERR_USAGE`, `ERR_ORIGIN`, `ERR_OWNER_REGISTRY`, `ERR_REGISTRY_NOT_FOUND`, `ERR_INSTALLED`,
 * and those of the registry, with nothing written
 */
export async function registry(
  action: RegistryAction,
  words: readonly string[],
  options: GlobalOptions & { readonly key?: string | undefined },
  context: CommandContext,
): Promise<Outcome> {
  const [first = '', second = ''] = words;
  if (!COUNTS[action].includes(words.length)) {
    throw new ClientError('ERR_USAGE', `"registry ${action}" has ${words.length} arguments`, {
      hint: `write "stackyard registry ${`${action} ${USAGE[action]}`.trim()}"`,
    });
  }
  if (options.registry !== undefined && action !== 'audit') {
    throw new ClientError('ERR_USAGE', 'Option --registry is of no use with "registry"', {
      hint: 'give the address as an argument: stackyard registry add <name> <address>',
    });
  }
  const policy = parseLogPolicy(options.key);
  if (policy !== undefined && action !== 'add') {
    throw new ClientError('ERR_USAGE', `Option --key is of no use with "${action}"`, {
      hint: 'write "stackyard registry add <name> <address> --key <key>"',
    });
  }
  if (action === 'audit') return audit(words[0], options, context);
  if (action === 'list') return listRegistries(readLock(chooseProject(options)));
  return changeLock(`registry ${action} ${words.join(' ')}`, options, context, async (lock) => {
    const opened: Registry[] = [];
    const keys: string[] = [];
    const stated = policy && { ...lock?.registries[first]?.log, ...policy };
    const opener = registryOpener(options, context, lock, stated);
    const open = (address: string): Registry => {
      const one = opener(address, lock?.builds ?? {});
      opened.push(one);
      return one;
    };
    try {
      const next = await changed();
      return outcomeOf(next, lock, keys);
    } finally {
      await Promise.all(opened.map((one) => one.close()));
    }

    async function changed(): Promise<Lock | undefined> {
      if (action === 'remove') return removeRegistry(lock, first);
      if (action === 'add') {
        const added = await addRegistry(lock, first, second, open, policy !== undefined);
        const present = added ?? lock;
        if (policy === undefined || present === undefined) return added;
        const stated = await stateLogPolicy(present, first, policy, opened[0]!);
        keys.push(
          ...stated.formerKeys.map((key) => `key before: ${key}`),
          `key now:    ${policy.key}`,
          'Compare it with what the owner of the registry published elsewhere',
          `builds proved by it again: ${stated.proved}`,
        );
        return stated.lock;
      }
      return isRegistryName(second)
        ? moveOwner(lock, first, second, open)
        : moveRegistry(lock, first, second, open);
    }
  });
}

/** @throws {ClientError} `ERR_LOG` for a log that is not signed or does not continue what was seen, and those of the registry */
async function audit(
  named: string | undefined,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Outcome> {
  const lock = lockIfAny(options);
  const given =
    named === undefined ? options.registry : (lock?.registries[named]?.address ?? named);
  return withRegistry(
    { ...options, registry: given },
    lock,
    context,
    async ({ defaultRegistry: registry }): Promise<Outcome> => {
      const key = await registry.proved.use(async ({ signed, info }) => signed?.nextKey(info));
      if (key === undefined) {
        const problem = `Cannot check ${registry.base}: nobody signs its transparency log`;
        const hint = 'its operator can sign it: see "The log" in docs/operate.md';
        throw new ClientError('ERR_LOG', problem, { hint });
      }
      const found = await auditIndex((path) => registry.indexFile(path), key);
      const { problems, entries, builds, versions } = found;
      const summary = `entries: ${entries}, builds: ${builds}, versions: ${versions}, signed by ${key}`;
      const data = { registry: registry.base, ...found };
      if (problems.length === 0) {
        return { status: 'done', data, text: [summary, 'Nothing differs from the log'] };
      }
      const lines = problems.map(({ where, problem }) => `${where}: ${problem}`);
      const text = [...lines, summary, `Problems: ${problems.length}`];
      const error = new ClientError('ERR_LOG', `${registry.base} does not serve what its log has`, {
        hint: 'install nothing from this address, and report what differs to the registry',
      });
      return { status: 'different', data, text, error };
    },
    'reading',
  );
}

function outcomeOf(
  next: Lock | undefined,
  before: Lock | undefined,
  keys: readonly string[],
): LockChange {
  const { data, text } = listRegistries(next ?? before);
  return next === undefined
    ? { data, text: ['Nothing changes', ...text] }
    : { lock: next, data, text: [...keys, ...text] };
}

function listRegistries(lock: Lock | undefined): Outcome {
  const builds = Object.entries(lock?.builds ?? {});
  const registries = Object.entries(lock?.registries ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, known]) => {
      const ids = builds.filter(([, build]) => build.registry === name).map(([id]) => id);
      const owners = [...new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))].sort();
      return { name, ...known, builds: ids.length, owners };
    });
  const text = registries.map(({ name, origin, address, via, builds: count, owners }) => {
    const from = via === undefined ? '' : `, upstream of ${via}`;
    const whose = count === 0 ? '' : ` of ${owners.join(', ')}`;
    return `${name}  ${address}  (${origin ?? 'origin not known yet'}${from})  builds: ${count}${whose}`;
  });
  const none =
    'This project has no registry yet: the first "stackyard add" with --registry fixes the default one';
  return { status: 'done', data: { registries }, text: text.length === 0 ? [none] : text };
}

export const command = define({
  description:
    'Names, lists, removes and moves registries: add <name> <address>, list, remove <name>, move <owner> <name>, move <name> <address>. "audit" downloads the log of one and all that it publishes, and compares them; exit status 6 when something differs',
  input: Input,
  output: z.looseObject({
    problems: z
      .array(z.looseObject({ where: z.string(), problem: z.string() }))
      .optional()
      .describe('Of audit, instead of registries.'),
    registries: z
      .array(
        z.looseObject({
          name: z.string(),
          origin: z.string().optional().describe('Absent while it is not known.'),
          address: z.string(),
          via: z.string().optional().describe('The registry that names it as upstream.'),
          builds: z.int().describe('How many builds came from it.'),
          owners: z.array(z.string()).describe('The owners that belong to it.'),
        }),
      )
      .optional(),
  }),
  examples: [
    'registry add corp https://registry.example.org',
    'registry audit https://registry.example.org',
  ],
  run: ({ action, words, ...input }, shared, context) =>
    registry(action, words, { ...shared, ...input }, context),
});
