/**
 * The first job of signals.yml: reads an issue that was opened with the form for reports or flags, checks it
 * against the rules, and writes the outcome to a file. It has a read-only token.
 */
import { writeFileSync } from 'node:fs';
import { formStatement } from '../../generator/gate/form-statement.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { openRepository } from '../../generator/git/repository.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { FILED_LABEL } from './form-outcome.ts';
import type { FormOutcome } from './form-outcome.ts';
import { readIssueEvent } from './issue-event.ts';
import type { IssueEvent } from './issue-event.ts';
import { runScript } from './run-script.ts';

/** The label that each form sets. */
const KINDS = { report: 'reports', flag: 'flags' } as const;
const MAX_PROBLEM_LENGTH = 2_000;

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const file = required(env, 'FORM_FILE');
  const outcome = await outcomeOf(readIssueEvent(env), folder);
  writeFileSync(file, `${JSON.stringify(outcome, null, 2)}\n`);
  console.log(`outcome: ${outcome.outcome}${'why' in outcome ? `, ${outcome.why}` : ''}`);
  return 0;
}

async function outcomeOf(event: IssueEvent, folder: string): Promise<FormOutcome> {
  const { issue } = event;
  const why = reasonToIgnore(event);
  if (why !== undefined || issue.user === null || issue.user === undefined) {
    return { outcome: 'ignored', why: why ?? 'its author is gone' };
  }
  const about = { issue: issue.number, author: issue.user.id };
  const labels = labelsOf(issue);
  const kinds = Object.entries(KINDS).filter(([label]) => labels.includes(label));
  const [kind] = kinds.map(([, one]) => one);
  if (kind === undefined || kinds.length > 1) {
    const problem = 'The issue has the labels of two forms: open one for each';
    return { outcome: 'mend', ...about, problem };
  }
  const repository = await openRepository(folder);
  const reader = new ObjectReader(repository.folder);
  try {
    const { body, updated_at: at } = issue;
    const form = { kind, body: body ?? '', account: about.author, at };
    const statement = await formStatement(repository, reader, form);
    if ('problem' in statement) {
      return { outcome: 'mend', ...about, problem: statement.problem.slice(0, MAX_PROBLEM_LENGTH) };
    }
    return 'outcome' in statement
      ? { outcome: 'reports', ...about, statement }
      : { outcome: 'flags', ...about, statement };
  } finally {
    reader.close();
  }
}

function reasonToIgnore({ action, issue, sender }: IssueEvent): string | undefined {
  const labels = labelsOf(issue);
  if (issue.pull_request !== undefined) return 'it is a pull request';
  if (issue.state !== 'open') return 'it is closed';
  if (!Object.keys(KINDS).some((label) => labels.includes(label))) return 'it is no such form';
  if (labels.includes(FILED_LABEL)) return 'it was filed before';
  // Text that others write into an issue is not a statement of its author.
  if (action === 'edited' && sender.id !== issue.user?.id) return 'another account edited it';
  return undefined;
}

function labelsOf({ labels }: IssueEvent['issue']): string[] {
  return labels.map(({ name }) => name);
}
