/** What the repository of a registry has of the settings that its workflows need, read from the code host: it changes nothing. */
import { z } from 'zod';
import { requestsTo } from '../host/code-host.ts';
import { HostError, type HostRequests } from '../host/host-requests.ts';
import { REGISTRY_LABELS } from '../host/objections.ts';
import type { HostedRegistry } from './hosted-registry.ts';

/** One setting. */
export interface HostFinding {
  readonly name: string;
  /** What is missing or differs; none: it is as it has to be. */
  readonly problem?: string | undefined;
  /** What a person does about it. */
  readonly remedy: string;
}

interface Check {
  readonly name: string;
  readonly remedy: string;
  /** @returns what is missing or differs */
  readonly look: () => Promise<string | undefined>;
}

const BRANCH = 'main';
/** By which pushes know github.com, as it publishes it. */
const GITHUB_HOST_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
/** The fields that are read, of any object of the hosts. */
const Row = z
  .object({
    name: z.string(),
    path: z.string(),
    status: z.string(),
    conclusion: z.string().nullable(),
    permission: z.string(),
    value: z.string().nullable(),
    data: z.string(),
    read_only: z.boolean(),
    build_type: z.string().nullable(),
    type: z.string(),
    ruleset_id: z.int(),
    bypass_actors: z.array(z.object({ actor_type: z.string() })),
    rule_name: z.string(),
    enable_push: z.boolean(),
    enable_push_whitelist: z.boolean(),
    push_whitelist_usernames: z.array(z.string()).nullable(),
    push_whitelist_deploy_keys: z.boolean(),
    enable_force_push: z.boolean(),
    allow_manual_merge: z.boolean(),
    autodetect_manual_merge: z.boolean(),
  })
  .partial();
type Row = z.infer<typeof Row>;

/** Looks at one setting after the other; without the repository at nothing else. */
export async function hostState(registry: HostedRegistry): Promise<HostFinding[]> {
  const at = new Settings(requestsTo(registry));
  const repository = await found({
    name: 'repository',
    remedy: `create "${registry.repository}", push the branch ${BRANCH}, and give a token of an admin of it`,
    look: async () => void (await at.get(`/branches/${BRANCH}`)),
  });
  if (repository.problem !== undefined) return [repository];
  const checks = [
    labels(at),
    ...(registry.kind === 'github' ? atGitHub(at, registry) : atGitea(at, registry)),
    ...values(at, registry),
    firstRun(at, registry),
  ];
  const all = [repository];
  for (const check of checks) all.push(await found(check));
  return all;
}

async function found({ name, remedy, look }: Check): Promise<HostFinding> {
  try {
    return { name, remedy, problem: await look() };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { name, remedy, problem: error.message };
  }
}

/** The reads of one repository; lists are read once. */
class Settings {
  readonly #requests: HostRequests;
  readonly #lists = new Map<string, Promise<Row[]>>();

  constructor(requests: HostRequests) {
    this.#requests = requests;
  }

  get(path: string): Promise<Row> {
    return this.#requests.get(Row, path);
  }

  /** `undefined` where there is none. */
  async find(path: string): Promise<Row | undefined> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof HostError && error.status === 404) return undefined;
      throw error;
    }
  }

  rows(path: string): Promise<Row[]> {
    const known = this.#lists.get(path) ?? this.#requests.all(Row, path, listIn);
    this.#lists.set(path, known);
    return known;
  }

  async variable(name: string): Promise<string | undefined> {
    const row = (await this.rows('/actions/variables')).find((one) => one.name === name);
    return row?.value ?? row?.data;
  }

  async hasSecret(name: string): Promise<boolean> {
    return (await this.rows('/actions/secrets')).some((one) => one.name === name);
  }
}

/** Some lists are the only list of an object. */
function listIn(page: unknown): unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(page ?? {}).find((value): value is unknown[] => Array.isArray(value)) ?? [];
}

function labels(at: Settings): Check {
  return {
    name: 'labels',
    remedy: 'a push to main starts deploy.yml, which creates them',
    look: async () => {
      const names = (await at.rows('/labels')).map(({ name }) => name);
      const missing = REGISTRY_LABELS.filter(({ name }) => !names.includes(name));
      return missing.length === 0
        ? undefined
        : `missing: ${missing.map(({ name }) => name).join(', ')}`;
    },
  };
}

/** Variables and secrets that the workflows read. */
function values(at: Settings, { baseUrl, isSigned }: HostedRegistry): Check[] {
  return [
    ...(baseUrl === ''
      ? []
      : [
          {
            name: 'variable BASE_URL',
            remedy: `set it to ${baseUrl}`,
            look: async () => {
              const value = await at.variable('BASE_URL');
              if (value === undefined) return 'it is missing';
              return value === baseUrl ? undefined : `it is "${value}"`;
            },
          },
        ]),
    ...(isSigned ? [secret(at, 'STACKYARD_LOG_KEY', 'set it to the private key of the log')] : []),
  ];
}

function secret(at: Settings, name: string, remedy: string): Check {
  const look = async (): Promise<string | undefined> =>
    (await at.hasSecret(name)) ? undefined : 'it is missing';
  return { name: `secret ${name}`, remedy, look };
}

function firstRun(at: Settings, { kind }: HostedRegistry): Check {
  const path = kind === 'github' ? '/actions/workflows/deploy.yml/runs' : '/actions/runs';
  return {
    name: 'last run of deploy.yml',
    remedy: 'start the workflow "Deploy"',
    look: async () => {
      // Gitea and Forgejo list those of all workflows.
      const last = (await at.rows(path)).find((run) =>
        /^(?:.*\/)?deploy\.yml(?:@.*)?$/.test(run.path ?? 'deploy.yml'),
      );
      if (last === undefined) return 'it has not run yet';
      const states = [last.status, last.conclusion];
      return states.some((one) => one?.startsWith('fail') === true) ? 'it failed' : undefined;
    },
  };
}

/** The rules of a branch cannot let the token of a workflow push: a deploy key does. */
function atGitHub(at: Settings, { api, isShared }: HostedRegistry): Check[] {
  /** Who is let past each of the rulesets that have all of these rules for the branch. */
  const bypasses = async (...types: string[]): Promise<string[]> => {
    const rules = await at.rows(`/rules/branches/${BRANCH}`);
    const ids = new Set(rules.map((rule) => rule.ruleset_id ?? 0));
    const whole = [...ids].filter((id) =>
      types.every((type) => rules.some((rule) => rule.ruleset_id === id && rule.type === type)),
    );
    const sets = await Promise.all(whole.map((id) => at.get(`/rulesets/${id}`)));
    return sets.map(({ bypass_actors: actors }) =>
      actors === undefined
        ? 'what the token may not see'
        : actors.map(({ actor_type: type }) => type).join(', '),
    );
  };
  const ruleset = (name: string, remedy: string, types: string[], past: string): Check => {
    return {
      name,
      remedy: `Settings, Rules, Rulesets: a branch ruleset for ${BRANCH} with ${remedy} (a private repository needs a paid plan)`,
      look: async () => {
        const found = await bypasses(...types);
        if (found.includes(past)) return undefined;
        return found.length === 0 ? 'it is missing' : `its bypass list has: ${found.join('; ')}`;
      },
    };
  };
  return [
    {
      name: 'deploy key',
      remedy:
        "ssh-keygen -t ed25519 -N '' -f key; Settings, Deploy keys: key.pub, with write access",
      look: async () =>
        (await at.rows('/keys')).some((key) => key.read_only === false)
          ? undefined
          : 'none may write',
    },
    secret(at, 'STACKYARD_PUSH_KEY', 'set it to the file "key", and remove both files'),
    {
      name: 'variable PUSH_HOST_KEY',
      remedy:
        api === 'https://api.github.com'
          ? `set it to "${GITHUB_HOST_KEY}"`
          : 'set it to type and key of the host, as "ssh-keyscan -t ed25519 <host>" prints them',
      look: async () =>
        (await at.variable('PUSH_HOST_KEY')) === undefined ? 'it is missing' : undefined,
    },
    ruleset(
      'history of main',
      '"Restrict deletions" and "Block force pushes", and nobody in the bypass list',
      ['deletion', 'non_fast_forward'],
      '',
    ),
    ...(isShared
      ? []
      : [
          ruleset(
            'pushes to main',
            '"Restrict updates", and "Deploy keys" alone in the bypass list',
            ['update'],
            'DeployKey',
          ),
        ]),
    {
      name: 'Pages',
      remedy: 'Settings, Pages: GitHub Actions as the source; or set the variable BUCKET',
      look: async () => {
        if ((await at.variable('BUCKET')) !== undefined) return undefined;
        const source = (await at.find('/pages'))?.build_type;
        return source === 'workflow' ? undefined : `its source is "${source ?? 'none'}"`;
      },
    },
  ];
}

/** The token of a run for a fork may only read: an account of the registry comments and pushes. */
function atGitea(at: Settings, { isShared }: HostedRegistry): Check[] {
  const pushers = async (): Promise<readonly string[]> => {
    const rule = await at.find(`/branch_protections/${BRANCH}`);
    if (rule?.enable_push !== true) return [];
    if (rule.enable_push_whitelist !== true) return ['who may write'];
    const keys = rule.push_whitelist_deploy_keys === true ? ['deploy keys'] : [];
    return [...(rule.push_whitelist_usernames ?? []), ...keys];
  };
  const own: Check[] = [
    {
      name: 'protection of main',
      remedy:
        'Settings, Branches: a rule for main that lets the account of the gate alone push, without force',
      look: async () => {
        const names = await pushers();
        if (names.length !== 1 || names[0] === 'who may write')
          return `pushes: ${names.join(', ') || 'nobody'}`;
        const { enable_force_push: isForced } = await at.get(`/branch_protections/${BRANCH}`);
        return isForced === true ? 'force is allowed' : undefined;
      },
    },
    {
      name: 'access of the gate',
      remedy: 'Settings, Collaborators: the account of the gate, which may write',
      look: async () => {
        const [gate] = await pushers();
        if (gate === undefined) return 'no account may push';
        const { permission = '' } = (await at.find(`/collaborators/${gate}/permission`)) ?? {};
        return /^(?:write|admin|owner)$/.test(permission) ? undefined : `${gate} may not write`;
      },
    },
  ];
  return [
    secret(
      at,
      'STACKYARD_TOKEN',
      'set it to a token of an account for the gate (write:repository, write:issue, read:user)',
    ),
    ...(isShared ? [] : own),
    {
      name: 'manual merges',
      remedy: 'Settings, Repository: allow manual merges, and detect them',
      look: async () => {
        const now = await at.get('');
        const isSet = now.allow_manual_merge === true && now.autodetect_manual_merge === true;
        return isSet ? undefined : 'they are not allowed, or not detected';
      },
    },
  ];
}
