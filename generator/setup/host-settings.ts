/** The settings of one repository at its code host: those that are alike at all hosts, and how any of them is read and changed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { HostKind } from '../../format/registry/registry-config.ts';
import { hostOf, requestsTo } from '../host/code-host.ts';
import { HostError } from '../host/host-requests.ts';
import { REGISTRY_LABELS } from '../host/objections.ts';

/** Whose pushes the rules of the hosts are about. */
export const BRANCH = 'main';
export const REPOSITORY = 'repository';

export interface HostPlan {
  readonly kind: HostKind;
  /** Such as https://github.com. */
  readonly server: string;
  readonly api: string;
  /** "owner/name". */
  readonly repository: string;
  readonly token: string;
  readonly waitSeconds: number;
  /** Whether the registry is a folder of a larger repository. */
  readonly isShared: boolean;
  /** Of the account that pushes, at Gitea and Forgejo; at GitLab one is made where none is given. */
  readonly pushToken: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Name to value; `undefined` for one that has to be there, and that nobody gave. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
}

export interface Step {
  readonly name: string;
  readonly why: string;
  readonly byHand: string;
  /** What the token must be allowed to write at GitHub, where that is not its administration. */
  readonly right?: string;
  /** Without which it is not begun. */
  readonly after?: readonly string[];
  /** Whether the host shows only later that it was made. */
  readonly isLate?: boolean;
  /** @returns what is missing or differs */
  readonly look: () => Promise<string | undefined>;
  readonly make?: (() => Promise<void>) | undefined;
}

/** The fields that are read, of any object of any host. */
export const Row = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    status: z.string(),
    conclusion: z.string().nullable(),
    permission: z.string(),
    title: z.string(),
    key: z.string(),
    value: z.string().nullable(),
    data: z.string(),
    url: z.string(),
    token: z.string(),
    login: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    read_only: z.boolean(),
    build_type: z.string().nullable(),
    deployment_branch_policy: z.object({ custom_branch_policies: z.boolean() }).nullable(),
    enforcement: z.string(),
    conditions: z.object({ ref_name: z.record(z.string(), z.array(z.string())) }).nullable(),
    rules: z.array(z.object({ type: z.string() })),
    bypass_actors: z.array(z.object({ actor_type: z.string() })),
    rule_name: z.string(),
    enable_push: z.boolean(),
    enable_push_whitelist: z.boolean(),
    push_whitelist_usernames: z.array(z.string()).nullable(),
    push_whitelist_deploy_keys: z.boolean(),
    enable_force_push: z.boolean(),
    allow_manual_merge: z.boolean(),
    autodetect_manual_merge: z.boolean(),
    push_access_levels: z.array(z.object({ access_level: z.int().nullable() })),
    allow_force_push: z.boolean(),
  })
  .partial();
export type Row = z.infer<typeof Row>;
const Made = z.object({ id: z.int(), token: z.string().default('') });

/** One repository, and what is alike at all hosts. */
export class Settings {
  readonly plan: HostPlan;
  readonly requests: ReturnType<typeof requestsTo>;
  readonly host: ReturnType<typeof hostOf>;
  #known: Record<string, Promise<Row[]>> = {};

  constructor(plan: HostPlan) {
    this.plan = plan;
    this.requests = requestsTo(plan.kind, plan);
    this.host = hostOf(plan.kind, this.requests);
  }

  rows(path: string): Promise<Row[]> {
    return this.requests.all(Row, path, listIn);
  }

  /** `undefined` where there is none. */
  async find(path: string): Promise<Row | undefined> {
    try {
      return await this.requests.get(Row, path);
    } catch (error) {
      if (error instanceof HostError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Makes what is worth nothing without the rest, and takes it back where that fails. */
  async both(
    path: string,
    body: object,
    rest: (made: z.infer<typeof Made>) => Promise<unknown>,
  ): Promise<void> {
    const made = Made.parse(await this.requests.send('POST', path, body, false));
    try {
      await rest(made);
    } catch (error) {
      await this.requests.send('DELETE', `${path}/${made.id}`);
      throw error;
    }
  }

  repository(): Step {
    const { server, repository } = this.plan;
    return {
      name: REPOSITORY,
      why: `${server}/${repository} has the branch ${BRANCH}`,
      byHand: `create it empty, and push: git push -u origin ${BRANCH}`,
      right: 'Contents',
      look: async () => void (await this.host.newestCommit(BRANCH)),
    };
  }

  labels(): Step {
    const names = REGISTRY_LABELS.map(({ name }) => name);
    return {
      name: 'labels',
      why: 'forms and people can only set labels that are there',
      byHand: `create the labels ${names.join(', ')}`,
      right: 'Issues',
      look: async () => {
        const found = (await this.rows('/labels')).map(({ name }) => name);
        const missing = names.filter((name) => !found.includes(name));
        return missing.length === 0 ? undefined : `missing: ${missing.join(', ')}`;
      },
      make: async () => void (await this.host.createLabels(REGISTRY_LABELS)),
    };
  }

  firstRun(): Step {
    const { kind } = this.plan;
    const path =
      kind === 'gitlab'
        ? `/pipelines?ref=${BRANCH}`
        : kind === 'github'
          ? '/actions/workflows/deploy.yml/runs?per_page=1'
          : '/actions/runs?limit=50';
    return {
      name: 'first run',
      why: 'the workflow "deploy" makes the index, and puts it to its place',
      byHand: 'start the workflow "deploy"',
      right: 'Actions',
      isLate: true,
      look: async () => {
        const runs = z.array(Row).parse(listIn(await this.requests.get(z.unknown(), path)));
        // Gitea and Forgejo list those of all workflows.
        const last = runs.find((run) =>
          /^(?:.*\/)?deploy\.yml(?:@.*)?$/.test(run.path ?? 'deploy.yml'),
        );
        if (last === undefined) return 'it has not run yet';
        // A push that came before the settings started one.
        const isFailed = [last.status, last.conclusion].some(
          (one) => one?.startsWith('fail') === true,
        );
        return isFailed ? 'its last run failed' : undefined;
      },
      make: () => this.host.dispatch('deploy', BRANCH),
    };
  }

  /** Those of one kind, asked for once until one is changed; at GitLab secrets are among the variables. */
  async #values(kind: 'secrets' | 'variables' = 'variables'): Promise<Map<string, string>> {
    const path = this.plan.kind === 'gitlab' ? '/variables' : `/actions/${kind}`;
    const rows = await (this.#known[path] ??= this.rows(path));
    return new Map(rows.map((row) => [row.name ?? row.key ?? '', row.value ?? row.data ?? '']));
  }

  variable(name: string, value: string): Step {
    const { kind } = this.plan;
    return {
      name: `variable ${name}`,
      why: 'workflows read it',
      byHand: `set the variable ${name} to ${value}`,
      right: 'Variables',
      look: async () => {
        const now = (await this.#values()).get(name);
        if (now === undefined) return 'it is missing';
        return now === value ? undefined : `it is "${now}", not "${value}"`;
      },
      make: async () => {
        const isThere = (await this.#values()).has(name);
        const isNamed = isThere || (kind !== 'github' && kind !== 'gitlab');
        const path = `${kind === 'gitlab' ? '' : '/actions'}/variables${isNamed ? `/${name}` : ''}`;
        const change = kind === 'github' ? 'PATCH' : 'PUT';
        const named = kind === 'gitlab' ? { key: name, raw: true } : { name };
        this.#known = {};
        await this.requests.send(isThere ? change : 'POST', path, { ...named, value });
      },
    };
  }

  secret(name: string, value: string | undefined): Step {
    return {
      name: `secret ${name}`,
      why: 'workflows read it; what it is cannot be compared',
      byHand: `give it in the variable ${name} of the environment of setup, or set it at the host`,
      right: 'Secrets',
      look: async () => ((await this.hasSecret(name)) ? undefined : 'it is missing'),
      make: value === undefined ? undefined : () => this.store(name, value),
    };
  }

  /** Of a variable that is there, or will be. */
  async valueOf(name: string): Promise<string | undefined> {
    return this.plan.variables[name] ?? (await this.#values()).get(name);
  }

  bucketAccess(): Step {
    const { kind, repository } = this.plan;
    const [role, key] = ['AWS_ROLE_ARN', 'AWS_ACCESS_KEY_ID'];
    const issuer = 'token.actions.githubusercontent.com';
    const Condition = {
      StringEquals: {
        [`${issuer}:aud`]: 'sts.amazonaws.com',
        [`${issuer}:sub`]: `repo:${repository}:ref:refs/heads/${BRANCH}`,
      },
    };
    const Principal = { Federated: `arn:aws:iam::<account>:oidc-provider/${issuer}` };
    const Action = 'sts:AssumeRoleWithWebIdentity';
    const Statement = [{ Effect: 'Allow', Principal, Action, Condition }];
    const policy = JSON.stringify({ Version: '2012-10-17', Statement });
    const keys = `--secret ${key} --secret AWS_SECRET_ACCESS_KEY, which take them from the environment`;
    return {
      name: 'access to the bucket',
      why: 'the workflow writes the index to BUCKET, at AWS in a role without stored keys',
      byHand:
        kind === 'github'
          ? `at AWS make a role with this trust policy, and give --variable ${role}=<its ARN>: ${policy}; a store without OpenID Connect needs ${keys}`
          : keys,
      look: async () => {
        if ((await this.valueOf('BUCKET'))?.startsWith('s3:') !== true) return undefined;
        if (kind === 'github' && (await this.valueOf(role)) !== undefined) return undefined;
        const isGiven = this.plan.secrets[key] !== undefined || (await this.hasSecret(key));
        return isGiven ? undefined : `BUCKET is set, and neither ${role} nor ${key}`;
      },
    };
  }

  async hasSecret(name: string): Promise<boolean> {
    return (await this.#values('secrets')).has(name);
  }

  async store(name: string, value: string): Promise<void> {
    const { kind } = this.plan;
    this.#known = {};
    // Pipelines of other branches cannot read it.
    const hidden = { key: name, value, masked: true, protected: true, raw: true };
    if (kind === 'github') await this.gh(['secret', 'set', name], value);
    else if (kind === 'gitlab') await this.requests.send('POST', '/variables', hidden);
    else await this.requests.send('PUT', `/actions/secrets/${name}`, { data: value });
  }

  /** GitHub takes secrets that are sealed with a key of the repository: its own program does that. */
  async gh(args: readonly string[], secret?: string): Promise<void> {
    const { server, repository, token } = this.plan;
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      GH_TOKEN: token,
      GH_ENTERPRISE_TOKEN: token,
      GH_PROMPT_DISABLED: '1',
    };
    const where = secret === undefined ? [] : ['--repo', `${new URL(server).host}/${repository}`];
    try {
      const ended = promisify(execFile)('gh', [...args, ...where], { env });
      // It may end without reading.
      ended.child.stdin?.on('error', () => undefined).end(secret);
      await ended;
    } catch (cause) {
      const { code, stderr } = cause as { code?: string; stderr?: string };
      const problem = code === 'ENOENT' ? 'it is not installed' : String(stderr).trim();
      const text = `gh ${args.join(' ')}: ${problem}`.replaceAll(token, '***').slice(0, 500);
      // oxlint-disable-next-line preserve-caught-error -- what it was given stands in the cause
      throw new Error(secret === undefined ? text : text.replaceAll(secret.trim(), '***'));
    }
  }
}

/** Some lists are the only list of an object. */
function listIn(page: unknown): unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(page ?? {}).find((value): value is unknown[] => Array.isArray(value)) ?? [];
}

/** What a person changed. */
export function differences(
  wanted: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const lines = Object.entries(wanted).flatMap(([what, value]) =>
    found[what] === value ? [] : [`${what}: "${found[what] ?? ''}", not "${value}"`],
  );
  return lines.length === 0 ? undefined : lines.join('; ');
}

export function sorted(names: readonly string[] = []): string {
  return [...names].sort().join(', ');
}
