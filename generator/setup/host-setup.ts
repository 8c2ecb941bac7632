/**
 * What a registry needs of its code host, in steps: each looks first, changes only what is missing or differs, and looks again. The
 * token of the operator is in requests and in the environment of `gh`, nowhere else.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostKind } from '../../format/registry/registry-config.ts';
import { requestsTo } from '../host/code-host.ts';
import { HostError } from '../host/host-requests.ts';
import {
  BRANCH,
  REPOSITORY,
  Row,
  Settings,
  differences,
  sorted,
  type HostPlan,
  type Step,
} from './host-settings.ts';

export interface HostOutcome {
  readonly name: string;
  readonly state: 'is there' | 'would be made' | 'made' | 'cannot';
  readonly text: string;
}

/** Takes one step after the other; one that fails stops only those that need it. @param isDry nothing is changed */
export async function setUpHost(plan: HostPlan, isDry: boolean): Promise<HostOutcome[]> {
  const outcomes: HostOutcome[] = [];
  for (const step of stepsOf(plan)) {
    const isMissing = (name: string): boolean =>
      outcomes.some((one) => one.name === name && one.state === 'cannot');
    const needs = step.after?.find(isMissing);
    const [state, text] =
      needs === undefined
        ? await take(step, plan.kind, isDry)
        : ['cannot' as const, `needs "${needs}"`];
    const byHand = state === 'cannot' && needs === undefined ? `; by hand: ${step.byHand}` : '';
    outcomes.push({ name: step.name, state, text: `${text}${byHand}` });
  }
  return outcomes;
}

async function take(
  { why, look, make, isLate, right = 'Administration' }: Step,
  kind: HostKind,
  isDry: boolean,
): Promise<readonly [HostOutcome['state'], string]> {
  try {
    const lack = await look();
    if (lack === undefined) return ['is there', why];
    if (make === undefined) return ['cannot', lack];
    if (isDry) return ['would be made', `${why}: ${lack}`];
    await make();
    const left = isLate === true ? undefined : await look();
    return left === undefined
      ? ['made', `${why}: ${lack}`]
      : ['cannot', `after the change: ${left}`];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isRefused = error instanceof HostError && (error.status === 403 || error.status === 404);
    if (!isRefused) return ['cannot', text];
    if (kind === 'github')
      return ['cannot', `${text}; the token needs the permission "${right}: write"`];
    const scope =
      kind === 'gitlab' ? '"api", of a Maintainer' : '"write:repository", of an admin of it';
    return ['cannot', `${text}; the token needs the scope ${scope}`];
  }
}

const KEY = 'deploy key that may push';
const KEY_TITLE = 'stackyard gate';
const KEY_SECRET = 'STACKYARD_PUSH_KEY';
const PUSH_TOKEN = 'STACKYARD_TOKEN';
const PROTECTION = 'protection of main';
const PUSHES = 'stackyard: pushes';
const ACCESS = 'access of the gate';
/** Steps that let the gate alone push. */
const ALONE: readonly string[] = [PROTECTION, `ruleset "${PUSHES}"`];
/** By which pushes know the host, as it publishes it. */
const HOST_KEYS: Readonly<Record<string, string>> = {
  'https://github.com':
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl',
};
const MAINTAINER = 40;
const DAY_MS = 86_400_000;

function stepsOf(plan: HostPlan): Step[] {
  const at = new Settings(plan);
  const { kind } = plan;
  const all =
    kind === 'github' ? githubSteps(at) : kind === 'gitlab' ? gitlabSteps(at) : giteaSteps(at);
  // In a larger repository people push to main.
  const own = plan.isShared ? all.filter(({ name }) => !ALONE.includes(name)) : all;
  const key = HOST_KEYS[plan.server];
  const isPushedBySsh = kind === 'github' && key !== undefined;
  const variables = { ...(isPushedBySsh && { PUSH_HOST_KEY: key }), ...plan.variables };
  const needed = [
    at.labels(),
    ...own,
    ...Object.entries(variables).map(([name, value]) => at.variable(name, value)),
    ...Object.entries(plan.secrets).map(([name, value]) => at.secret(name, value)),
    at.bucketAccess(),
  ].map((step) => ({ ...step, after: [REPOSITORY, ...(step.after ?? [])] }));
  const after = [REPOSITORY, ...needed.map(({ name }) => name)];
  return [at.repository(), ...needed, { ...at.firstRun(), after }];
}

function githubSteps(at: Settings): Step[] {
  const history = ['deletion', 'non_fast_forward'];
  return [
    deployKey(at),
    ruleset(at, 'stackyard: history', 'nobody rewrites or deletes main', history, ''),
    {
      ...ruleset(at, PUSHES, 'the key alone pushes to main', ['update'], 'DeployKey'),
      after: [KEY],
    },
    ...pages(at),
  ];
}

/** The private half goes from ssh-keygen to the secret, and stays nowhere. */
function deployKey(at: Settings): Step {
  const keys = async (): Promise<Row[]> =>
    (await at.rows('/keys')).filter(({ title }) => title === KEY_TITLE);
  return {
    name: KEY,
    why: 'rules of a branch cannot let the token of a workflow push',
    byHand: `ssh-keygen -t ed25519 -N '' -f key; key.pub becomes a deploy key "${KEY_TITLE}" with write access, key the secret ${KEY_SECRET}; remove both files`,
    look: async () => {
      if (!(await keys()).some((key) => key.read_only === false)) return 'no deploy key writes';
      return (await at.hasSecret(KEY_SECRET)) ? undefined : `the secret ${KEY_SECRET} is missing`;
    },
    make: async () => {
      await at.gh(['--version']);
      const folder = mkdtempSync(join(tmpdir(), 'stackyard-setup-'));
      try {
        const file = join(folder, 'key');
        execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', KEY_TITLE, '-f', file]);
        const key = readFileSync(`${file}.pub`, 'utf8').trim();
        const old = await keys();
        await at.both('/keys', { title: KEY_TITLE, key, read_only: false }, async () =>
          at.store(KEY_SECRET, readFileSync(file, 'utf8')),
        );
        for (const { id } of old) await at.requests.send('DELETE', `/keys/${id}`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function ruleset(at: Settings, name: string, why: string, rules: string[], bypass: string): Step {
  const id = async (): Promise<number | undefined> =>
    (await at.rows('/rulesets?includes_parents=false')).find((row) => row.name === name)?.id;
  const ref = { include: [`refs/heads/${BRANCH}`], exclude: [] as string[] };
  const wanted = {
    enforcement: 'active',
    ...inWords(ref),
    rules: sorted(rules),
    'let past it': bypass,
  };
  const [actor_id, bypass_mode] = [null, 'always'];
  return {
    name: `ruleset "${name}"`,
    why,
    byHand: `a branch ruleset "${name}" for ${BRANCH} with ${rules.join(', ')}, past which ${bypass || 'nobody'} is let (a private repository needs a paid plan)`,
    look: async () => {
      const own = await id();
      if (own === undefined) return 'it is missing';
      const now = await at.requests.get(Row, `/rulesets/${own}`);
      return differences(wanted, {
        enforcement: now.enforcement,
        ...inWords(now.conditions?.ref_name ?? {}),
        rules: sorted(now.rules?.map(({ type }) => type)),
        'let past it': sorted(now.bypass_actors?.map(({ actor_type: type }) => type) ?? ['?']),
      });
    },
    make: async () => {
      const own = await id();
      const path = `/rulesets${own === undefined ? '' : `/${own}`}`;
      await at.requests.send(own === undefined ? 'POST' : 'PUT', path, {
        name,
        target: 'branch',
        enforcement: 'active',
        conditions: { ref_name: ref },
        rules: rules.map((type) => ({ type })),
        bypass_actors: bypass === '' ? [] : [{ actor_id, actor_type: bypass, bypass_mode }],
      });
    },
  };
}

function pages(at: Settings): Step[] {
  const environment = '/environments/github-pages';
  const policies = `${environment}/deployment-branch-policies`;
  /** `undefined` where every branch may deploy. */
  const branches = async (): Promise<Row[] | undefined> => {
    const { deployment_branch_policy: policy } = (await at.find(environment)) ?? {};
    return policy?.custom_branch_policies === true ? at.rows(policies) : undefined;
  };
  return [
    {
      name: 'Pages',
      why: 'without BUCKET, deploy.yml puts the index there; look who can read it, because sites of private repositories are public in most plans',
      byHand: 'Settings, Pages: GitHub Actions as the source; or give --variable BUCKET=s3://…',
      right: 'Pages',
      look: async () =>
        differences(
          { source: 'workflow' },
          { source: (await at.find('/pages'))?.build_type ?? '' },
        ),
      make: async () => {
        const method = (await at.find('/pages')) === undefined ? 'POST' : 'PUT';
        await at.requests.send(method, '/pages', { build_type: 'workflow' });
      },
    },
    {
      name: 'environment github-pages',
      why: 'only main is deployed',
      byHand: 'Settings, Environments, github-pages: selected branches, main',
      look: async () => {
        if ((await at.valueOf('BUCKET')) !== undefined) return undefined;
        const names = (await branches())?.map(({ name }) => name ?? '');
        return differences({ branches: BRANCH }, { branches: sorted(names ?? ['any']) });
      },
      make: async () => {
        const policy = { protected_branches: false, custom_branch_policies: true };
        await at.requests.send('PUT', environment, { deployment_branch_policy: policy });
        const found = await at.rows(policies);
        for (const { id } of found.filter(({ name }) => name !== BRANCH)) {
          await at.requests.send('DELETE', `${policies}/${id}`);
        }
        if (found.some(({ name }) => name === BRANCH)) return;
        await at.requests.send('POST', policies, { name: BRANCH });
      },
    },
  ];
}

function giteaSteps(at: Settings): Step[] {
  const { requests, plan } = at;
  const { kind } = plan;
  const rule = async (): Promise<Row | undefined> =>
    (await at.rows('/branch_protections')).find(({ rule_name: name }) => name === BRANCH);
  /** Without its token, the one account that the rule names. */
  const gate = async (): Promise<string> => {
    const { pushToken: token } = plan;
    if (token !== undefined) {
      const { login } = await requestsTo(kind, { ...plan, repository: '', token }).get(
        Row,
        '/user',
      );
      if (login !== undefined) return login;
    }
    const [login, ...others] = (await rule())?.push_whitelist_usernames ?? [];
    if (login !== undefined && others.length === 0) return login;
    const named = login === undefined ? 'none' : sorted([login, ...others]);
    throw new Error(
      `the rule of ${BRANCH} names ${named}: give the token of the gate in ${PUSH_TOKEN}`,
    );
  };
  const merges = { allow_manual_merge: true, autodetect_manual_merge: true };
  return [
    {
      ...at.secret(PUSH_TOKEN, plan.pushToken),
      why: 'the token of a run for a fork may only read: an account of the registry writes',
      byHand: `make an account, and give a token of it (write:repository, write:issue, read:user) in the variable ${PUSH_TOKEN} of the environment of setup`,
    },
    {
      name: ACCESS,
      why: 'it comments, labels and pushes',
      byHand: 'Settings, Collaborators: the account of the gate, which may write',
      look: async () => {
        if (plan.isShared && plan.pushToken === undefined) return undefined;
        const { permission } = (await at.find(`/collaborators/${await gate()}/permission`)) ?? {};
        return /^(?:write|admin|owner)$/.test(permission ?? '') ? undefined : 'it may not write';
      },
      make: async () =>
        void (await requests.send('PUT', `/collaborators/${await gate()}`, {
          permission: 'write',
        })),
    },
    {
      name: PROTECTION,
      after: [ACCESS],
      why: 'the account of the gate alone pushes, and nobody forces',
      byHand:
        'Settings, Branches: a rule for main that lets the account of the gate push, without force',
      look: async () => {
        const [now, login] = [await rule(), await gate()];
        if (now === undefined) return 'it is missing';
        const listed = [
          ...(now.push_whitelist_usernames ?? []),
          ...(now.push_whitelist_deploy_keys === true ? ['deploy keys'] : []),
        ];
        const open = now.enable_push === true ? ['who may write'] : [];
        const pushes =
          now.enable_push_whitelist === true && now.enable_push === true ? listed : open;
        const forces = now.enable_force_push === true ? 'allowed' : 'refused';
        return differences(
          { pushes: login, force: 'refused' },
          { pushes: sorted(pushes), force: forces },
        );
      },
      make: async () => {
        const [now, login] = [await rule(), await gate()];
        const path = `/branch_protections${now === undefined ? '' : `/${BRANCH}`}`;
        await requests.send(now === undefined ? 'POST' : 'PATCH', path, {
          rule_name: BRANCH,
          enable_push: true,
          enable_push_whitelist: true,
          push_whitelist_usernames: [login],
          push_whitelist_teams: [],
          push_whitelist_deploy_keys: false,
          enable_force_push: false,
        });
      },
    },
    {
      name: 'manual merges',
      why: 'the host shows a pull request that the gate pushed as merged',
      byHand: 'Settings, Repository: allow manual merges, and detect them',
      look: async () => {
        const now = await requests.get(Row, '');
        const found = [now.allow_manual_merge, now.autodetect_manual_merge].map(String);
        return differences(
          { allowed: 'true', detected: 'true' },
          { allowed: found[0], detected: found[1] },
        );
      },
      make: async () =>
        void (await requests.send('PATCH', '', { has_pull_requests: true, ...merges })),
    },
  ];
}

function gitlabSteps(at: Settings): Step[] {
  const { requests, plan } = at;
  const path = `/protected_branches/${BRANCH}`;
  const wanted = { 'levels that push': String(MAINTAINER), force: 'refused' };
  const webhook = (event: string, events: string): Step => ({
    name: `webhook for ${events}`,
    why: 'it starts a pipeline of main: those of forks run in the fork',
    byHand: `make a trigger token, and a webhook for ${events} with it: docs/operate.md`,
    look: async () => {
      const hooks = await at.rows('/hooks');
      const isThere = hooks.some(({ url }) => url?.endsWith(`[STACKYARD_EVENT]=${event}`) === true);
      return isThere ? undefined : 'it is missing';
    },
    make: () =>
      at.both('/triggers', { description: `stackyard ${event}` }, async ({ token }) => {
        const project = `${plan.api}/projects/${encodeURIComponent(plan.repository)}`;
        const query = `token=${token}&variables[STACKYARD_EVENT]=${event}`;
        const url = `${project}/ref/${BRANCH}/trigger/pipeline?${query}`;
        const hook = { url, push_events: false, [`${events.replace(' ', '_')}_events`]: true };
        await requests.send('POST', '/hooks', hook, false);
      }),
  });
  const schedule = (name: string, cron: string, why: string): Step => ({
    name: `schedule ${name}`,
    why,
    byHand: `a schedule of main, ${cron}, with the variable STACKYARD_SCHEDULE=${name}`,
    look: async () => {
      const all = await at.rows('/pipeline_schedules');
      const own = all.find(({ description }) => description === `stackyard ${name}`);
      if (own === undefined) return 'it is missing';
      return own.active === true ? undefined : 'it is switched off: delete it first';
    },
    make: () =>
      at.both(
        '/pipeline_schedules',
        { description: `stackyard ${name}`, ref: BRANCH, cron },
        ({ id }) =>
          requests.send('POST', `/pipeline_schedules/${id}/variables`, {
            key: 'STACKYARD_SCHEDULE',
            value: name,
          }),
      ),
  });
  return [
    {
      ...at.secret(PUSH_TOKEN, plan.pushToken),
      why: 'a bot of the project comments and pushes; its token ends within a year',
      byHand: `an access token of the project, Maintainer with the scope api, as the masked and protected variable ${PUSH_TOKEN}`,
      make: async () => {
        if (plan.pushToken !== undefined) return at.store(PUSH_TOKEN, plan.pushToken);
        const expires_at = new Date(Date.now() + 364 * DAY_MS).toISOString().slice(0, 10);
        const about = { name: KEY_TITLE, scopes: ['api'], access_level: MAINTAINER, expires_at };
        await at.both('/access_tokens', about, ({ token }) => at.store(PUSH_TOKEN, token));
      },
    },
    {
      name: PROTECTION,
      why: 'Maintainers alone push, such as the bot, and nobody forces: let people be Developers',
      byHand: 'Settings, Repository, Protected branches: main, Maintainers push, no force push',
      look: async () => {
        const now = await at.find(path);
        if (now === undefined) return 'it is missing';
        const levels = now.push_access_levels?.map(({ access_level: level }) => String(level));
        const force = now.allow_force_push === true ? 'allowed' : 'refused';
        return differences(wanted, { 'levels that push': sorted(levels), force });
      },
      make: async () => {
        // The levels of a rule cannot be replaced.
        if ((await at.find(path)) !== undefined) await requests.send('DELETE', path);
        const level = { push_access_level: MAINTAINER, merge_access_level: MAINTAINER };
        const rule = { name: BRANCH, ...level, allow_force_push: false };
        await requests.send('POST', '/protected_branches', rule);
      },
    },
    webhook('merge_request', 'merge requests'),
    webhook('issue', 'issues'),
    schedule('waiting', '41 * * * *', 'it merges what has waited long enough'),
    schedule('deploy', '22 5 * * *', 'it checks each day that the newest commit is live'),
  ];
}

function inWords(ref: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return { branches: sorted(ref['include']), 'branches left out': sorted(ref['exclude']) };
}
