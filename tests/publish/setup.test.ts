/** `setUpHost`: the first run makes all, the second one nothing; what a person changed, and what a host refuses, is named. */
import { delimiter } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostPlan } from '../../generator/setup/host-settings.ts';
import { setUpHost } from '../../generator/setup/host-setup.ts';
import { FakeSettings, GATE, OPERATOR } from '../host/fake-settings.ts';

const KINDS = ['github', 'gitea', 'gitlab'] as const;

/** A host, and `gh` as the program on the path. */
async function startHost(kind: (typeof KINDS)[number], exit = 0): Promise<FakeSettings> {
  const fake = await FakeSettings.start(kind);
  const { PATH } = process.env;
  process.env['PATH'] = [fake.gh(exit), PATH].join(delimiter);
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
  return fake;
}

async function statesOf(plan: HostPlan, isDry = false): Promise<Record<string, string>> {
  const outcomes = await setUpHost(plan, isDry);
  return Object.fromEntries(outcomes.map(({ name, state, text }) => [name, `${state}: ${text}`]));
}

function begin(states: Record<string, string>): string[] {
  return [...new Set(Object.values(states).map((text) => text.split(':')[0] ?? ''))].sort();
}

describe.each(KINDS)('at %s', (kind) => {
  it('changes nothing in a dry run, makes all at first, and nothing again', async () => {
    const fake = await startHost(kind);
    const dry = await statesOf(fake.plan(), true);
    expect(begin(dry)).toEqual(['is there', 'would be made']);
    expect(fake.changes).toEqual([]);
    const first = await statesOf(fake.plan());
    expect(begin(first)).toEqual(['is there', 'made']);
    expect(Object.keys(first)).toEqual(Object.keys(dry));
    const made = fake.changes.length;
    // A later check has neither the token of the gate nor the key of the log.
    const later = fake.plan({ pushToken: undefined, secrets: { STACKYARD_LOG_KEY: undefined } });
    for (const isDry of [true, false]) {
      expect(begin(await statesOf(later, isDry))).toEqual(['is there']);
    }
    expect(fake.changes).toHaveLength(made);
    expect(JSON.stringify([dry, first])).not.toMatch(new RegExp(`${OPERATOR}|${GATE}|PRIVATE`));
  });

  it('names a wrong token once, and does not print it', async () => {
    const fake = await startHost(kind);
    const states = await statesOf(fake.plan({ token: 'wrong-9876543210' }));
    expect(states['repository']).toMatch(
      /^cannot: GET .* was answered with 401: the token is wrong/,
    );
    expect(states['labels']).toBe('cannot: needs "repository"');
    expect(fake.changes).toEqual([]);
    expect(JSON.stringify(states)).not.toContain('wrong-9876543210');
  });

  it.each([
    [403, /403: .*; the token needs the (?:permission "Issues: write"|scope "(?:api|write:repo))/],
    [404, /404: .*; the token needs the /],
    [429, /429/],
    [503, /503/],
  ])('goes on after a step that is answered with %i', async (status, text) => {
    const fake = await startHost(kind);
    fake.faults.set('POST /labels', { status, headers: { 'retry-after': '0' } });
    const states = await statesOf(fake.plan());
    expect(states['labels']).toMatch(/^cannot: POST .*by hand: create the labels report/);
    expect(states['labels']).toMatch(text);
    expect(states['first run']).toBe('cannot: needs "labels"');
    expect(begin(states)).toEqual(['cannot', 'is there', 'made']);
    fake.faults.clear();
    expect(begin(await statesOf(fake.plan()))).toEqual(['is there', 'made']);
  });

  it('changes a variable that differs', async () => {
    const fake = await startHost(kind);
    await statesOf(fake.plan());
    const plan = fake.plan({ variables: { BASE_URL: 'https://moved.example' } });
    const text = 'it is "https://registry.example", not "https://moved.example"';
    expect((await statesOf(plan, true))['variable BASE_URL']).toContain(text);
    expect((await statesOf(plan))['variable BASE_URL']).toMatch(/^made: /);
    expect(begin(await statesOf(plan))).toEqual(['is there']);
  });

  it('starts the first run again where it failed before the settings were there', async () => {
    const fake = await startHost(kind);
    await statesOf(fake.plan());
    const list = {
      github: '/actions/workflows/deploy.yml/runs',
      gitea: '/actions/runs',
      gitlab: '/pipelines',
    };
    Object.assign(
      fake.lists.get(list[kind])![0]!,
      kind === 'gitlab' ? { status: 'failed' } : { status: 'completed', conclusion: 'failure' },
    );
    expect((await statesOf(fake.plan(), true))['first run']).toMatch(/: its last run failed$/);
    fake.lists.set(list[kind], []);
    expect((await statesOf(fake.plan()))['first run']).toMatch(/^made/);
  });

  it('asks for all variables once', async () => {
    const fake = await startHost(kind);
    await statesOf(fake.plan());
    const names = ['A', 'B', 'C', 'D'].map((name) => [name, 'x']);
    const variables = Object.fromEntries(names) as Record<string, string>;
    fake.asked.length = 0;
    await statesOf(fake.plan({ variables, secrets: { S: 's', T: 't' } }), true);
    const lists = fake.asked.filter((path) => /\/(?:variables|secrets)$/.test(path));
    expect(lists).toEqual([...new Set(lists)]);
  });

  it('lets people push where the registry is a folder of their repository', async () => {
    const fake = await startHost(kind);
    const states = await statesOf(fake.plan({ isShared: true }));
    expect(begin(states)).toEqual(['is there', 'made']);
    const names = Object.keys(states).filter((name) => /protection|ruleset/.test(name));
    expect(names).toEqual(kind === 'github' ? ['ruleset "stackyard: history"'] : []);
  });

  it('asks for access to a bucket', async () => {
    const fake = await startHost(kind);
    const variables = { BUCKET: 's3://registry/main' };
    const states = await statesOf(fake.plan({ variables }), true);
    const { 'access to the bucket': access } = states;
    expect(access).toMatch(
      /^cannot: BUCKET is set, and neither AWS_ROLE_ARN nor AWS_ACCESS_KEY_ID/,
    );
    const isRole = access?.includes('"repo:o/r:ref:refs/heads/main"') ?? false;
    expect(isRole).toBe(kind === 'github');
    const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
    const given = await statesOf(fake.plan({ variables, secrets }), true);
    expect(given['access to the bucket']).toMatch(/^is there/);
  });
});

describe('at GitHub', () => {
  it('names what was changed in a ruleset, and fixes it', async () => {
    const fake = await startHost('github');
    await statesOf(fake.plan());
    const [history, pushes] = fake.lists.get('/rulesets')!;
    history!['enforcement'] = 'disabled';
    history!['rules'] = [{ type: 'deletion' }];
    pushes!['bypass_actors'].push({ actor_id: 5, actor_type: 'RepositoryRole' });
    const changes = fake.changes.length;
    const states = await statesOf(fake.plan(), true);
    expect(states['ruleset "stackyard: history"']).toContain(
      'enforcement: "disabled", not "active"; rules: "deletion", not "deletion, non_fast_forward"',
    );
    expect(states['ruleset "stackyard: pushes"']).toContain(
      'let past it: "DeployKey, RepositoryRole", not "DeployKey"',
    );
    expect(fake.changes).toHaveLength(changes);
    await statesOf(fake.plan());
    expect(begin(await statesOf(fake.plan()))).toEqual(['is there']);
  });

  it('takes the deploy key back where its secret is refused', async () => {
    const fake = await startHost('github', 1);
    const states = await statesOf(fake.plan());
    expect(states['deploy key that may push']).toMatch(
      /^cannot: gh secret set STACKYARD_PUSH_KEY: HTTP 403 with \*\*\* and \*\*\*/,
    );
    expect(fake.lists.get('/keys')).toEqual([]);
    expect(states['ruleset "stackyard: pushes"']).toBe('cannot: needs "deploy key that may push"');
    expect(states['ruleset "stackyard: history"']).toMatch(/^made/);
    expect(JSON.stringify(states)).not.toMatch(new RegExp(`${OPERATOR}|BEGIN|PRIVATE`));
  });

  it('makes the key and its secret again where one of them is gone', async () => {
    const fake = await startHost('github');
    await statesOf(fake.plan());
    fake.lists.set('/actions/secrets', []);
    const states = await statesOf(fake.plan());
    expect(states['deploy key that may push']).toMatch(/^made: .*STACKYARD_PUSH_KEY is missing/);
    expect(fake.lists.get('/keys')).toHaveLength(1);
  });
});

describe('at Gitea and GitLab', () => {
  it('names who else may push', async () => {
    const fake = await startHost('gitea');
    await statesOf(fake.plan());
    fake.lists.get('/branch_protections')![0]!['push_whitelist_usernames'] = ['gate', 'mallory'];
    fake.lists.get('/branch_protections')![0]!['enable_force_push'] = true;
    expect((await statesOf(fake.plan(), true))['protection of main']).toContain(
      'pushes: "gate, mallory", not "gate"; force: "allowed", not "refused"',
    );
    // Who the gate is only its token shows.
    const states = await statesOf(fake.plan({ pushToken: undefined }));
    expect(states['access of the gate']).toContain(
      'names gate, mallory: give the token of the gate',
    );
    await statesOf(fake.plan());
    expect(begin(await statesOf(fake.plan()))).toEqual(['is there']);
  });

  it('needs the token of the account that pushes', async () => {
    const fake = await startHost('gitea');
    const states = await statesOf(fake.plan({ pushToken: undefined }));
    expect(states['secret STACKYARD_TOKEN']).toMatch(/^cannot: it is missing; by hand: make an/);
    expect(states['access of the gate']).toMatch(
      /^cannot: the rule of main names none: give the token of the gate in STACKYARD_TOKEN/,
    );
  });

  it('takes a trigger back whose webhook is refused', async () => {
    const fake = await startHost('gitlab');
    fake.faults.set('POST /hooks', { status: 422 });
    const states = await statesOf(fake.plan());
    expect(states['webhook for issues']).toMatch(/^cannot: POST .* 422/);
    expect(fake.lists.get('/triggers')).toEqual([]);
    expect(JSON.stringify(states)).not.toContain('made-');
  });
});
