/** The files of a new registry at the code host: workflows and issue forms. */
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import type { HostKind } from '../../format/registry/registry-config.ts';
import { gitlabPipeline } from './gitlab-pipeline.ts';

/** Installs the software that the configuration names; of a new registry a file, beside no other program. */
const INSTALL_FILE = '.stackyard/install.mjs';
/** Where it is installed. */
const PROGRAM = 'node_modules/.stackyard/node_modules/.bin/stackyard-registry';
/** The repository that measures the builds of the registry: its files, for a person to put there. */
export const MEASURING = 'measuring/';
const SETUP_NODE = 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0';

/** What of the configuration is written into them. */
interface Shown {
  /** Empty where it is not known. */
  readonly base_url: string;
  readonly root?: string;
}

interface Host {
  readonly kind: HostKind;
  /** The label of the runner: it needs git and Node.js. */
  readonly runner: string;
}

/** Path to text. */
export function registryWorkflows(
  host: Host,
  { base_url: address, root = '' }: Shown,
): Record<string, string> {
  const installer = { [INSTALL_FILE]: INSTALL };
  if (host.kind === 'gitlab')
    return {
      ...installer,
      '.gitlab-ci.yml': gitlabPipeline(host.runner, INSTALL_FILE, PROGRAM, root),
    };
  const files = {
    publish: publish(host, root),
    signals: signals(host),
    waiting: waiting(host),
    deploy: deploy(host, root),
    matrix: matrix(host),
  };
  const folder = `.${host.kind}`;
  return {
    ...installer,
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`${folder}/workflows/${name}.yml`, text]),
    ),
    ...(host.kind === 'github' ? measuring(host, address, root) : {}),
  };
}

const INSTALL = `// Installs the software that registry.config.json names, where it has the digest that stands there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const config = process.argv[2] ?? 'registry.config.json';
const { address, integrity } = JSON.parse(readFileSync(config, 'utf8')).software;
const isRemote = /^https?:/.test(address);
const response = isRemote ? await fetch(address) : undefined;
if (response?.ok === false) throw new Error(\`\${address} was answered with \${response.status}\`);
const bytes = isRemote ? Buffer.from(await response.arrayBuffer()) : readFileSync(address);
const digest = \`sha512-\${createHash('sha512').update(bytes).digest('base64')}\`;
if (digest !== integrity) throw new Error(\`\${address} has the digest \${digest}, not \${integrity}\`);
const folder = 'node_modules/.stackyard';
mkdirSync(folder, { recursive: true });
writeFileSync(\`\${folder}/package.json\`, '{ "private": true }\\n');
writeFileSync(\`\${folder}/software.tgz\`, bytes);
const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
execFileSync('npm', ['install', ...options, './software.tgz'], { cwd: folder, stdio: 'inherit' });
`;

/** The steps with which a job begins: the registry as it is on the main branch, and the software. No action of others is needed for it. */
function begin({ kind }: Host, config = ''): string {
  const node = `      - uses: ${SETUP_NODE}
        with:
          node-version: 24
          package-manager-cache: false
`;
  return `    steps:
${kind === 'github' ? node : ''}      - name: Get the registry and its software
        env:
          GIT_CONFIG_COUNT: '1'
          TOKEN: \${{ github.token }}
        run: |
          export GIT_CONFIG_KEY_0="http.\${GITHUB_SERVER_URL%/}/.extraheader"
          export GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$TOKEN" | base64 -w0)"
          rm -rf registry
          git clone -q --single-branch --branch main "\${GITHUB_SERVER_URL%/}/$GITHUB_REPOSITORY" registry
          cd registry
          env -u TOKEN -u GIT_CONFIG_COUNT node ${INSTALL_FILE}${config}
`;
}

/** In a larger repository, what changes nothing of the registry starts nothing. */
function onlyIn(root: string): string {
  return root === '' ? '' : `    paths: ['${root}**', '${CONFIG_FILE}']\n`;
}

/** A step that does one job of the program. */
function step(
  { kind }: Host,
  job: string,
  env: Readonly<Record<string, string>> = {},
  more = '',
): string {
  const all = { CODE_HOST: kind, ...env };
  const lines = Object.entries(all).map(([name, value]) => `          ${name}: ${value}\n`);
  return `      - name: ${job}
${more}        working-directory: registry
        run: ${PROGRAM} host ${job}
        env:
${lines.join('')}`;
}

function job(
  { runner }: Host,
  minutes: number,
  permissions: readonly string[],
  more: readonly string[] = [],
): string {
  return [
    ...more.map((line) => `    ${line}`),
    `    runs-on: ${runner}`,
    `    timeout-minutes: ${minutes}`,
    '    permissions:',
    ...permissions.map((line) => `      ${line}`),
    '',
  ].join('\n');
}

const READS = { BASE_BRANCH: 'main', GITHUB_TOKEN: '${{ github.token }}' };

/**
 * What a job needs that writes. Gitea and Forgejo let the token of a run for a fork's pull request only read, so an account of the
 * registry has one of its own there, whose pushes start workflows.
 */
function writes({ kind }: Host): Record<string, string> {
  const BASE_BRANCH = 'main';
  if (kind !== 'github') return { BASE_BRANCH, GITHUB_TOKEN: '${{ secrets.STACKYARD_TOKEN }}' };
  return {
    ...READS,
    // Rules of a branch can let a deploy key push, but not the token of a workflow.
    PUSH_KEY: '${{ secrets.STACKYARD_PUSH_KEY }}',
    PUSH_HOST_KEY: '${{ vars.PUSH_HOST_KEY }}',
  };
}

function publish(host: Host, root: string): string {
  const isGitHub = host.kind === 'github';
  const number = '${{ github.event.pull_request.number || inputs.pull }}';
  const [id, starter] = isGitHub
    ? ['github.actor_id', 'github.triggering_actor']
    : // These hosts do not tell who started a run again: only people with write access can.
      ['github.event.sender.id', 'github.actor'];
  return `# Judges pull requests, and merges those that the gate accepts. Nothing of a pull request is checked out or run:
# its commits are fetched as objects and read as data.
name: Publish

on:
  pull_request_target: # zizmor: ignore[dangerous-triggers] nothing of the head is checked out or run
    branches: [main]
    types: [opened, reopened, synchronize, ready_for_review, converted_to_draft]
${onlyIn(root)}  workflow_dispatch:
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

permissions: {}

concurrency:
  group: publish-${number}
  cancel-in-progress: false

jobs:
  gate:
${job(host, 15, ['contents: read', 'pull-requests: read'], ['outputs:', '  verdict: ${{ steps.gate.outputs.verdict }}'])}${begin(host)}${step(host, 'gate', { ...READS, PULL_NUMBER: number }, '        id: gate\n')}
  settle:
${job(
  host,
  10,
  [
    'contents: write # to push the merge',
    'pull-requests: write # to comment and label',
    'issues: write # comments and labels of pull requests are those of issues',
    'statuses: write # to record the verdict and its time',
    'actions: write # to start deploy.yml',
  ],
  ['needs: gate', "if: ${{ !cancelled() && needs.gate.outputs.verdict != '' }}"],
)}${begin(host)}${step(host, 'settle', {
    ...writes(host),
    PULL_NUMBER: number,
    VERDICT: '${{ needs.gate.outputs.verdict }}',
    APPROVED_BY: "${{ inputs.approved_head != '' && github.actor || '' }}",
    APPROVED_BY_ID: `\${{ inputs.approved_head != '' && ${id} || '' }}`,
    TRIGGERED_BY: `\${{ ${starter} }}`,
    APPROVED_HEAD: '${{ inputs.approved_head }}',
  })}`;
}

function signals(host: Host): string {
  return `# Turns issues that were opened with the forms for reports and flags into files of the repository.
name: Signals

on:
  issues:
    # Not "labeled": the form is known by its headings, and the labels of the answer would start further runs.
    types: [opened, edited]

permissions: {}

concurrency:
  group: signals-\${{ github.event.issue.number }}
  cancel-in-progress: false

jobs:
  read:
${job(
  host,
  15,
  ['contents: read'],
  [
    "if: contains(github.event.issue.body, '### Integrity')",
    'outputs:',
    '  form: ${{ steps.read.outputs.form }}',
  ],
)}${begin(host)}${step(host, 'read-form', {}, '        id: read\n')}
  file:
${job(
  host,
  15,
  [
    'contents: write # to push the commit',
    'issues: write # to comment, label and close',
    'actions: write # to start deploy.yml',
  ],
  ['needs: read'],
)}${begin(host)}${step(host, 'file-form', { ...writes(host), FORM: '${{ needs.read.outputs.form }}' })}`;
}

function waiting(host: Host): string {
  return `# Starts a new judgement of pull requests whose waiting period is over, or whose merge could not be pushed.
name: Waiting

on:
  schedule:
    - cron: '41 * * * *'
  workflow_dispatch:

permissions: {}

concurrency:
  group: waiting
  cancel-in-progress: false

jobs:
  wake:
${job(host, 15, [
  'contents: read',
  'issues: read # to list by label',
  'pull-requests: read',
  'statuses: read',
  'actions: write # to start publish.yml',
])}${begin(host)}${step(host, 'wake-waiting', writes(host))}`;
}

function deploy(host: Host, root: string): string {
  const place = {
    INDEX_FOLDER: '../deploy/index',
    STATE_FILE: '../deploy/state.sqlite',
    STACKYARD_LOG_KEY: '${{ secrets.STACKYARD_LOG_KEY }}',
    BUCKET: '${{ vars.BUCKET }}',
    BUCKET_ENDPOINT: '${{ vars.BUCKET_ENDPOINT }}',
    AWS_REGION: "${{ vars.BUCKET_REGION || 'us-east-1' }}",
    AWS_ACCESS_KEY_ID: '${{ secrets.AWS_ACCESS_KEY_ID }}',
    AWS_SECRET_ACCESS_KEY: '${{ secrets.AWS_SECRET_ACCESS_KEY }}',
    ...(host.kind === 'github' && {
      AWS_ROLE_ARN: '${{ vars.AWS_ROLE_ARN }}',
      AWS_WEB_IDENTITY_TOKEN_FILE: '${{ runner.temp }}/role-token',
    }),
  };
  // It is valid for minutes: each step that uses the bucket has its own.
  const takeRole =
    host.kind === 'github'
      ? `      - name: Get a token for the role of the bucket
        if: \${{ vars.AWS_ROLE_ARN != '' }}
        run: |
          curl -sSf -H "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=sts.amazonaws.com" |
            node -p 'JSON.parse(fs.readFileSync(0)).value' > "$RUNNER_TEMP/role-token"
`
      : '';
  // What reads the published index.
  const url = {
    BASE_URL: '${{ vars.BASE_URL }}',
    STACKYARD_HEADERS: '${{ secrets.STACKYARD_HEADERS }}',
  };
  const isPages = host.kind === 'github';
  const handPages = `      - name: Hand over the index
        if: \${{ vars.BUCKET == '' }}
        uses: actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0
        with:
          path: deploy/index
`;
  const pages = `
  pages:
    needs: generate
    if: \${{ needs.generate.outputs.deploy == 'true' && vars.BUCKET == '' }}
    runs-on: ${host.runner}
    timeout-minutes: 20
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.pages.outputs.page_url }}
    steps:
      - id: pages
        uses: actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0
`;
  return `# Updates the index, and deploys it to the place that the variable BUCKET names${isPages ? ', or else to Pages' : ''}. Nothing comes from a
# cache: any job on the main branch can write to it, and what is restored would be signed.
name: Deploy

on:
  push:
    branches: [main]
${onlyIn(root)}  # Started by publish.yml as well: pushes with its token start no workflow.
  workflow_dispatch:
  schedule:
    # Checks that the newest commit is live. With witnesses of the log, make it hourly.
    - cron: '22 5 * * *'

permissions: {}

# Each run continues the log of the previous one.
concurrency:
  group: deploy
  cancel-in-progress: false

jobs:
  generate:
${job(
  host,
  60,
  [
    'contents: read',
    ...(isPages ? ['id-token: write # for a role that AWS gives this workflow alone'] : []),
  ],
  ['outputs:', '  deploy: ${{ steps.changed.outputs.deploy }}'],
)}${begin(host)}${takeRole}${step(host, 'generate', { ...url, ...place })}      - name: Ask the witnesses of the log
        working-directory: registry
        run: ${PROGRAM} log:cosign --out ../deploy/index --config registry.config.json
${step(host, 'needs-deploy', { ...url, INDEX_FOLDER: place.INDEX_FOLDER }, '        id: changed\n')}${takeRole}${step(host, 'deploy', place, "        if: ${{ vars.BUCKET != '' }}\n")}${isPages ? handPages + pages : ''}
  after:
${job(
  host,
  30,
  [
    'contents: write # to push the branch stackyard-log',
    'issues: write # to create labels, and to raise the alarm',
  ],
  [
    `needs: ${isPages ? '[generate, pages]' : 'generate'}`,
    // A failed deployment has to raise the alarm.
    'if: ${{ !cancelled() }}',
  ],
)}${begin(host)}${step(host, 'create-labels', writes(host), "        if: ${{ github.event_name == 'push' }}\n")}${step(
    host,
    'keep-log',
    { ...url, ...writes(host) },
    "        if: ${{ needs.generate.outputs.deploy == 'true' && vars.BASE_URL != '' }}\n",
  )}${step(host, 'check-freshness', { ...url, ...writes(host) }, "        if: ${{ vars.BASE_URL != '' }}\n")}`;
}

function matrix(host: Host): string {
  return `# Takes over what the repository in the variable MATRIX_REPOSITORY has measured about the ranges of builds.
name: Matrix

on:
  schedule:
    - cron: '43 7 * * *'
  workflow_dispatch:

permissions: {}

concurrency:
  group: matrix
  cancel-in-progress: false

jobs:
  file:
${job(
  host,
  15,
  ['contents: write # to push the commit', 'actions: write # to start deploy.yml'],
  ["if: ${{ vars.MATRIX_REPOSITORY != '' }}"],
)}${begin(host)}      - name: Get what was measured
        env:
          MATRIX_REPOSITORY: \${{ vars.MATRIX_REPOSITORY }}
        run: |
          rm -rf measured
          git clone -q --depth 1 "\${GITHUB_SERVER_URL%/}/$MATRIX_REPOSITORY" measured
${step(host, 'file-matrix', { ...writes(host), MATRIX_FOLDER: '../measured/signals' })}`;
}

/** Of a repository that holds nothing but rows: its token and its cache are worth nothing to the registry. */
function measuring(host: Host, address: string, root: string): Record<string, string> {
  const text = `# Measures which ranges of builds are true. It runs code of builds: keep this repository apart from the registry, without secrets.
# The first job may only read. The second one runs none of that code: it reads the rows by their schema.
name: Measure

on:
  schedule:
    - cron: '13 2 * * *'
  workflow_dispatch:

permissions: {}

concurrency:
  group: measure
  cancel-in-progress: false

jobs:
  measure:
${job(host, 300, ['contents: read'])}${begin(host, ' software.json')}${step(host, 'measure', { BASE_URL: address === '' ? 'https://registry.example' : address })}      - name: Hand over the rows
        if: \${{ !cancelled() }}
        uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0
        with:
          name: matrix
          path: registry/signals/**/*.matrix.json
          if-no-files-found: ignore
          retention-days: 7

  keep:
${job(host, 15, ['contents: write # to push the commit'], ['needs: measure', '# Rows that were measured before a failure are kept.', 'if: ${{ !cancelled() }}'])}${begin(host, ' software.json')}      - name: Take the rows
        uses: actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1
        with:
          name: matrix
          path: measured
${step(host, 'file-matrix', { ...writes(host), MATRIX_FOLDER: '../measured' })}`;
  return {
    [`${root}${MEASURING}.github/workflows/measure.yml`]: text,
    [`${root}${MEASURING}${INSTALL_FILE}`]: INSTALL,
    [`${root}${MEASURING}signals/.gitkeep`]: '',
  };
}
