/** The files of a new registry at the code host: workflows and issue forms. */

/**
 * The workflows of a new registry: each calls the one of the software's repository, at a commit. Permissions of a caller
 * are the upper bound of what the called jobs get.
 */
export interface Software {
  readonly repository: string;
  /** In full: a name of a branch could change what runs. */
  readonly commit: string;
}

/** The repository that measures the builds of the registry: its files, for a person to put there. */
const MEASURING = 'measuring/';

/** Path to text. @param address of the registry, where it is known */
export function registryWorkflows(software: Software, address: string): Record<string, string> {
  const files = {
    publish: publish(software),
    signals: signals(software),
    waiting: waiting(software),
    deploy: deploy(software),
    matrix: matrix(software),
  };
  const entries = Object.entries(files).map(([name, text]) => [
    `.github/workflows/${name}.yml`,
    text,
  ]);
  return {
    ...(Object.fromEntries(entries) as Record<string, string>),
    [`${MEASURING}.github/workflows/measure.yml`]: measure(software, address),
    [`${MEASURING}signals/.gitkeep`]: '',
  };
}

function job(
  name: string,
  { repository, commit }: Software,
  permissions: readonly string[],
): string {
  return `permissions: {}

jobs:
  ${name}:
    uses: ${repository}/.github/workflows/${name}.yml@${commit}
    permissions:
${permissions.map((line) => `      ${line}\n`).join('')}    with:
      software: ${repository}
      software_commit: ${commit}
`;
}

function publish(software: Software): string {
  return `# Judges pull requests, and merges those that the gate accepts. Nothing of a pull request is checked out or run.
name: Publish

on:
  pull_request_target: # zizmor: ignore[dangerous-triggers] nothing of the head is checked out or run
    branches: [main]
    types: [opened, reopened, synchronize, ready_for_review, converted_to_draft]
  workflow_dispatch:
    inputs:
      pull:
        description: Number of the pull request to judge again
        required: true
        type: string
      approved_head:
        description: Commit that an admin approves of, in full; empty to only judge again
        required: false
        default: ''
        type: string

${job('publish', software, ['contents: write', 'pull-requests: write', 'issues: write', 'statuses: write', 'actions: write'])}      pull: \${{ inputs.pull }}
      approved_head: \${{ inputs.approved_head }}
`;
}

function signals(software: Software): string {
  return `# Turns issues that were opened with the forms for reports and flags into files of the repository.
name: Signals

on:
  issues:
    types: [opened, edited, labeled]

${job('signals', software, ['contents: write', 'issues: write', 'actions: write'])}`;
}

function waiting(software: Software): string {
  return `# Starts a new judgement of pull requests whose waiting period is over.
name: Waiting

on:
  schedule:
    - cron: '41 * * * *'
  workflow_dispatch:

${job('waiting', software, ['contents: read', 'issues: read', 'pull-requests: read', 'statuses: read', 'actions: write'])}`;
}

function deploy(software: Software): string {
  return `# Updates the index, and deploys it to the bucket that the variable BUCKET names, or else to Pages.
name: Deploy

on:
  push:
    branches: [main]
  workflow_dispatch:
  schedule:
    - cron: '7,37,52 * * * *'
    # Asks the witnesses of the log again, so that the confirmed state stays recent.
    - cron: '22 * * * *'

${job('deploy', software, ['contents: write', 'pages: write', 'id-token: write', 'issues: write'])}    secrets:
      STACKYARD_LOG_KEY: \${{ secrets.STACKYARD_LOG_KEY }}
      STACKYARD_HEADERS: \${{ secrets.STACKYARD_HEADERS }}
      AWS_ACCESS_KEY_ID: \${{ secrets.AWS_ACCESS_KEY_ID }}
      AWS_SECRET_ACCESS_KEY: \${{ secrets.AWS_SECRET_ACCESS_KEY }}
`;
}

function matrix(software: Software): string {
  return `# Takes over what the repository in the variable MATRIX_REPOSITORY has measured about the ranges of builds.
name: Matrix

on:
  schedule:
    - cron: '43 7 * * *'
  workflow_dispatch:

${job('matrix', software, ['contents: write', 'actions: write'])}`;
}

function measure(software: Software, address: string): string {
  return `# Measures which ranges of builds are true. It runs code of builds: keep this repository apart from the registry, without secrets.
name: Measure

on:
  schedule:
    - cron: '13 2 * * *'
  workflow_dispatch:

${job('measure', software, ['contents: write'])}      registry: ${address === '' ? 'https://registry.example' : address}
`;
}

/** Path to text. */
export function issueForms(): Record<string, string> {
  return { '.github/ISSUE_TEMPLATE/report.yml': REPORT, '.github/ISSUE_TEMPLATE/flag.yml': FLAG };
}

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
      options: [malware, secrets, licence, impersonation, broken, other]
    validations:
      required: true
${NOTE_FIELD}`;
