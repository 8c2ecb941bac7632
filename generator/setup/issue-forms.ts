/** The forms for reports, flags and appeals of a new registry, as each code host has them. */
import type { HostKind } from '../host/code-host.ts';

/** Path to text. */
export function issueForms(kind: HostKind): Record<string, string> {
  if (kind === 'gitlab') {
    return {
      '.gitlab/issue_templates/Report.md': gitlabForm('Outcome', 'success or failure'),
      '.gitlab/issue_templates/Flag.md': gitlabForm('Reason', REASONS.replaceAll(/[[\]]/g, '')),
    };
  }
  const folder = `.${kind}/ISSUE_TEMPLATE`;
  return { [`${folder}/report.yml`]: REPORT, [`${folder}/flag.yml`]: FLAG };
}

/** GitLab has no forms: the headings are what is read. */
function gitlabForm(question: string, answers: string): string {
  const fields = {
    Build: '<owner>/<name>',
    Version: '1.0.0',
    Integrity: 'sha256-...',
    [question]: answers,
  };
  const lines = Object.entries({ ...fields, Note: '_No response_' });
  return lines.map(([heading, text]) => `### ${heading}\n\n${text}\n`).join('\n');
}

const REASONS = '[malware, secrets, licence, impersonation, broken, other]';

const VERSION_FIELDS = `  - type: input
    id: build
    attributes:
      label: Build
      description: 'The id, <owner>/<name>'
      placeholder: alice/web
    validations:
      required: true
  - type: input
    id: version
    attributes:
      label: Version
      description: The version that you used
      placeholder: 1.0.0
    validations:
      required: true
  - type: input
    id: integrity
    attributes:
      label: Integrity
      description: 'The digest that your lock or the record shows'
      placeholder: sha256-...
    validations:
      required: true
`;

const NOTE_FIELD = `  - type: textarea
    id: note
    attributes:
      label: Note
      description: 'At most 500 characters, published as you write it: no names, addresses or secrets'
    validations:
      required: false
`;

const REPORT = `name: Report
description: Report whether a version of a build worked
title: 'Report: '
labels: [report]
body:
  - type: markdown
    attributes:
      value: >-
        Counts once for each account, version and day. What counts and how: docs/signals.md
${VERSION_FIELDS}  - type: dropdown
    id: outcome
    attributes:
      label: Outcome
      description: Whether it worked
      options: [success, failure]
    validations:
      required: true
${NOTE_FIELD}`;

const FLAG = `name: Flag
description: Ask the admins to look at a version of a build
title: 'Flag: '
labels: [flag]
body:
  - type: markdown
    attributes:
      value: >-
        What you write is public. Report an open vulnerability of the registry itself in private instead.
${VERSION_FIELDS}  - type: dropdown
    id: reason
    attributes:
      label: Reason
      description: What is wrong with it
      options: ${REASONS}
    validations:
      required: true
${NOTE_FIELD}`;
