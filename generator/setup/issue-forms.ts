/** The forms for reports, flags and appeals of a new registry, as each code host has them. */
import type { HostKind } from '../../format/registry/registry-config.ts';

/** Path to text. */
export function issueForms(kind: HostKind): Record<string, string> {
  if (kind === 'gitlab') {
    return {
      '.gitlab/issue_templates/Report.md': gitlabForm({ ...GITLAB, Outcome: 'success or failure' }),
      '.gitlab/issue_templates/Appeal.md': gitlabForm({
        Build: '<owner>/<name>',
        Version: '1.0.0',
        Decision: APPEALED,
      }),
      '.gitlab/issue_templates/Flag.md': gitlabForm({
        ...GITLAB,
        Reason: REASONS.replaceAll(/[[\]]/g, ''),
      }),
    };
  }
  const folder = `.${kind}/ISSUE_TEMPLATE`;
  return {
    [`${folder}/report.yml`]: REPORT,
    [`${folder}/flag.yml`]: FLAG,
    [`${folder}/appeal.yml`]: APPEAL,
  };
}

/** GitLab has no forms: the headings are what is read. */
function gitlabForm(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...fields, Note: '_No response_' });
  return lines.map(([heading, text]) => `### ${heading}\n\n${text}\n`).join('\n');
}

const GITLAB = { Build: '<owner>/<name>', Version: '1.0.0', Integrity: 'sha256-...' };

const REASONS = '[malware, secrets, licence, impersonation, broken, other]';

const APPEALED = 'finding, name, ownership, flag, other';

const BUILD_FIELDS = `  - type: input
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
`;

const VERSION_FIELDS = `${BUILD_FIELDS}  - type: input
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

/** No heading of it is one by which reports and flags are known. */
const APPEAL = `name: Appeal
description: Ask the admins to look again at what the gate or a flag decided
title: 'Appeal: '
labels: [appeal]
body:
  - type: markdown
    attributes:
      value: >-
        Name the build, and why the decision is wrong. An admin answers here.
${BUILD_FIELDS}  - type: dropdown
    id: decision
    attributes:
      label: Decision
      description: What was decided
      options: [${APPEALED}]
    validations:
      required: true
  - type: textarea
    id: note
    attributes:
      label: Note
      description: 'The decision with its code, and why it is wrong'
    validations:
      required: true
`;
