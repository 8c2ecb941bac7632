import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hostState } from './host-state.ts';
import type { HostedRegistry } from './hosted-registry.ts';

const LABELS = ['report', 'flag', 'hold', 'lifted'].map((name) => ({ name }));
const named = (list: string, ...names: string[]): object => {
  return { total_count: names.length, [list]: names.map((name) => ({ name })) };
};
/** Path to what a host answers, as it is when everything is set. */
const GITHUB: Readonly<Record<string, object>> = {
  '/branches/main': { name: 'main' },
  '/labels': LABELS,
  '/keys': [{ id: 1, read_only: false }],
  '/rules/branches/main': [
    { type: 'deletion', ruleset_id: 1 },
    { type: 'non_fast_forward', ruleset_id: 1 },
    { type: 'update', ruleset_id: 2 },
  ],
  '/rulesets/1': { bypass_actors: [] },
  '/rulesets/2': { bypass_actors: [{ actor_type: 'DeployKey' }] },
  '/pages': { build_type: 'workflow' },
  '/actions/secrets': named('secrets', 'STACKYARD_PUSH_KEY', 'STACKYARD_LOG_KEY'),
  '/actions/variables': {
    variables: [
      { name: 'PUSH_HOST_KEY', value: 'ssh-ed25519 AAAA' },
      { name: 'BASE_URL', value: 'https://r.example' },
    ],
  },
  '/actions/workflows/deploy.yml/runs': {
    workflow_runs: [{ status: 'completed', conclusion: 'success' }],
  },
};
const GITEA: Readonly<Record<string, object>> = {
  '': { allow_manual_merge: true, autodetect_manual_merge: true },
  '/branches/main': { name: 'main' },
  '/labels': LABELS,
  '/branch_protections/main': {
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['gate'],
    push_whitelist_deploy_keys: false,
    enable_force_push: false,
  },
  '/collaborators/gate/permission': { permission: 'write' },
  '/actions/secrets': [{ name: 'STACKYARD_TOKEN' }, { name: 'STACKYARD_LOG_KEY' }],
  '/actions/variables': [{ name: 'BASE_URL', data: 'https://r.example' }],
  '/actions/runs': {
    workflow_runs: [
      { path: 'publish.yml@main', status: 'failure' },
      { path: 'deploy.yml@main', status: 'success' },
    ],
  },
};

/** What is wrong at a host that answers so, by name. */
async function problemsAt(
  kind: HostedRegistry['kind'],
  answers: Readonly<Record<string, object | undefined>>,
  more: Partial<HostedRegistry> = {},
): Promise<Record<string, string>> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host');
    const path = pathname.replace('/repos/o/r', '');
    asked.push(`${request.method} ${path}`);
    const isKnown = request.headers.authorization === 'Bearer token-0123456789';
    const answer = isKnown ? answers[path] : undefined;
    response.writeHead(isKnown ? (answer === undefined ? 404 : 200) : 401);
    response.end(JSON.stringify(answer ?? { message: 'No' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const findings = await hostState({
    kind,
    api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repository: 'o/r',
    token: 'token-0123456789',
    waitSeconds: 0,
    baseUrl: 'https://r.example',
    isSigned: true,
    isShared: false,
    ...more,
  });
  expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
  expect(JSON.stringify(findings)).not.toContain('0123456789');
  for (const { remedy } of findings) expect(remedy).not.toBe('');
  return Object.fromEntries(
    findings.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem]])),
  );
}

test('hostState() finds nothing where everything is set', async () => {
  expect(await problemsAt('github', GITHUB)).toEqual({});
  expect(await problemsAt('gitea', GITEA)).toEqual({});
});

test('hostState() names all that an empty repository misses', async () => {
  const empty = (all: object): Record<string, object> =>
    Object.fromEntries(
      Object.keys(all).map((path) => [path, path === '/branches/main' || path === '' ? {} : []]),
    );
  const found = await problemsAt('github', { ...empty(GITHUB), '/pages': {} });
  expect(found).toEqual({
    labels: 'missing: report, flag, hold, lifted',
    'deploy key': 'none may write',
    'secret STACKYARD_PUSH_KEY': 'it is missing',
    'variable PUSH_HOST_KEY': 'it is missing',
    'history of main': 'it is missing',
    'pushes to main': 'it is missing',
    Pages: 'its source is "none"',
    'variable BASE_URL': 'it is missing',
    'secret STACKYARD_LOG_KEY': 'it is missing',
    'last run of deploy.yml': 'it has not run yet',
  });
  const gitea = await problemsAt('gitea', {
    ...empty(GITEA),
    '/branch_protections/main': undefined,
  });
  expect(Object.keys(gitea)).toEqual([
    'labels',
    'secret STACKYARD_TOKEN',
    'protection of main',
    'access of the gate',
    'manual merges',
    'variable BASE_URL',
    'secret STACKYARD_LOG_KEY',
    'last run of deploy.yml',
  ]);
});

test('hostState() names who else may push, and what a person changed', async () => {
  const actors = [{ actor_type: 'DeployKey' }, { actor_type: 'RepositoryRole' }];
  const changed = {
    ...GITHUB,
    '/rulesets/1': { bypass_actors: actors },
    '/rulesets/2': { bypass_actors: actors },
  };
  expect(await problemsAt('github', changed, { baseUrl: 'https://moved.example' })).toEqual({
    'history of main': 'its bypass list has: DeployKey, RepositoryRole',
    'pushes to main': 'its bypass list has: DeployKey, RepositoryRole',
    'variable BASE_URL': 'it is "https://r.example"',
  });
  const rule = GITEA['/branch_protections/main'];
  const open = { ...rule, push_whitelist_usernames: ['gate', 'mallory'] };
  expect(await problemsAt('gitea', { ...GITEA, '/branch_protections/main': open })).toEqual({
    'protection of main': 'pushes: gate, mallory',
  });
  const forced = { ...rule, enable_force_push: true };
  expect(await problemsAt('gitea', { ...GITEA, '/branch_protections/main': forced })).toEqual({
    'protection of main': 'force is allowed',
  });
});

test('hostState() lets people push to a repository of which the registry is a folder', async () => {
  const changed = { ...GITHUB, '/rulesets/2': { bypass_actors: [] } };
  expect(await problemsAt('github', changed, { isShared: true })).toEqual({});
  const open = { ...GITEA, '/branch_protections/main': undefined };
  expect(await problemsAt('gitea', open, { isShared: true })).toEqual({});
});

test('hostState() looks at nothing else where it may not read the repository', async () => {
  const found = await problemsAt('github', GITHUB, { token: 'wrong-9876543210' });
  expect(found).toEqual({ repository: expect.stringContaining('401: the token is wrong') });
});
