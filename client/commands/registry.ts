/** `registry`: names, lists, removes and moves the registries that a project uses. */
import { z } from 'zod';
import { define, dryRun } from './options.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import { changeLock } from '../operation/change-lock.ts';
import type { LockChange, LockChangeOptions } from '../operation/change-lock.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import {
  acceptReports,
  addRegistry,
  moveOwner,
  moveRegistry,
  removeRegistry,
} from '../operation/name-registries.ts';
import { parseLogPolicy, stateLogPolicy } from '../operation/state-log-policy.ts';
import type { LogPolicyOptions } from '../operation/state-log-policy.ts';
import { registryOpener } from '../operation/open-registry.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import type { Registry } from '../registry/registry.ts';

const Input = z.object({
  action: z
    .enum(['add', 'list', 'remove', 'move', 'reports'])
    .meta({ description: 'what to do', isArgument: true }),
  words: z
    .array(z.string())
    .default([])
    .meta({ description: 'the arguments of the action', isArgument: true }),
  key: z.string().optional().meta({
    description: 'with add: the public key that must sign the log of the registry',
    placeholder: 'key',
  }),
  witnesses: z.array(z.string()).optional().meta({
    description: 'with add: how many witnesses must confirm the log, then their public keys',
    placeholder: 'words',
    isGreedy: true,
  }),
  dryRun,
});

type RegistryAction = z.infer<typeof Input>['action'];

/** The arguments of each action, for messages. */
const USAGE: Readonly<Record<RegistryAction, string>> = {
  add: '<name> <address>',
  list: '',
  remove: '<name>',
  move: '<owner> <name>" or "stackyard registry move <name> <address>',
  reports: '<name> <address>" or "stackyard registry reports <name> none',
};
const COUNT: Readonly<Record<RegistryAction, number>> = {
  add: 2,
  list: 0,
  remove: 1,
  move: 2,
  reports: 2,
};

/**
 * @param words the arguments after the action
 * @throws {ClientError} `ERR_USAGE`, `ERR_ORIGIN`, `ERR_REPORT_SERVICE`, `ERR_OWNER_REGISTRY`, `ERR_REGISTRY_NOT_FOUND`, `ERR_INSTALLED`,
 * and those of the registry, with nothing written
 */
export async function registry(
  action: RegistryAction,
  words: readonly string[],
  options: LockChangeOptions & LogPolicyOptions,
  context: CommandContext,
): Promise<Outcome> {
  const [first = '', second = ''] = words;
  if (words.length !== COUNT[action]) {
    throw new ClientError('ERR_USAGE', `"registry ${action}" has ${words.length} arguments`, {
      hint: `write "stackyard registry ${`${action} ${USAGE[action]}`.trim()}"`,
    });
  }
  if (options.registry !== undefined) {
    throw new ClientError('ERR_USAGE', 'Option --registry is of no use with "registry"', {
      hint: 'give the address as an argument: stackyard registry add <name> <address>',
    });
  }
  const policy = parseLogPolicy(options);
  if (policy !== undefined && action !== 'add') {
    throw new ClientError(
      'ERR_USAGE',
      `Options --key and --witnesses are of no use with "${action}"`,
      {
        hint: 'write "stackyard registry add <name> <address> --key <key>"',
      },
    );
  }
  if (action === 'list') return listRegistries(readLock(chooseProject(options)));
  return changeLock(`registry ${action} ${words.join(' ')}`, options, context, async (lock) => {
    const opened: Registry[] = [];
    const stated = policy && { ...lock?.registries[first]?.log, ...policy };
    const opener = registryOpener(options, context, lock, stated);
    const open = (address: string): Registry => {
      const one = opener([address], lock?.builds ?? {});
      opened.push(one);
      return one;
    };
    try {
      const next = await changed();
      return outcomeOf(next, lock);
    } finally {
      await Promise.all(opened.map((one) => one.close()));
    }

    async function changed(): Promise<Lock | undefined> {
      if (action === 'remove') return removeRegistry(lock, first);
      if (action === 'reports') return acceptReports(lock, first, second, open);
      if (action === 'add') {
        const added = await addRegistry(lock, first, second, open);
        const present = added ?? lock;
        if (policy === undefined || present === undefined) return added;
        return stateLogPolicy(present, first, policy, open);
      }
      return isRegistryName(second)
        ? moveOwner(lock, first, second, open)
        : moveRegistry(lock, first, second, open);
    }
  });
}

function outcomeOf(next: Lock | undefined, before: Lock | undefined): LockChange {
  const { data, text } = listRegistries(next ?? before);
  return next === undefined
    ? { data, text: ['Nothing changes', ...text] }
    : { lock: next, data, text };
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
  const text = registries.map(({ name, origin, address, via, reports, builds: count, owners }) => {
    const from = via === undefined ? '' : `, upstream of ${via}`;
    const to = reports === undefined ? '' : `, reports to ${reports}`;
    const whose = count === 0 ? '' : ` of ${owners.join(', ')}`;
    return `${name}  ${address}  (${origin ?? 'origin not known yet'}${from})  builds: ${count}${whose}${to}`;
  });
  const none =
    'This project has no registry yet: the first "stackyard add" with --registry fixes the default one';
  return { status: 'done', data: { registries }, text: text.length === 0 ? [none] : text };
}

export const command = define({
  description:
    'Names, lists, removes and moves registries: add <name> <address>, list, remove <name>, move <owner> <name>, move <name> <address>, reports <name> <address>: accepts the service to which CI runs report, or none',
  input: Input,
  output: z.looseObject({
    registries: z.array(
      z.looseObject({
        name: z.string(),
        origin: z.string().optional().describe('Absent while it is not known.'),
        address: z.string(),
        via: z.string().optional().describe('The registry that names it as upstream.'),
        reports: z.string().optional().describe('The accepted service for reports of CI runs.'),
        builds: z.int().describe('How many builds came from it.'),
        owners: z.array(z.string()).describe('The owners that belong to it.'),
      }),
    ),
  }),
  examples: ['registry add corp https://registry.example.org'],
  run: ({ action, words, ...input }, shared, context) =>
    registry(action, words, { ...shared, ...input }, context),
});
