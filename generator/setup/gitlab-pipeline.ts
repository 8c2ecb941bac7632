/** The jobs of a new registry at GitLab, in one file. */

/**
 * GitLab runs pipelines of forks in the fork, so none of them judges: webhooks for merge requests and issues start a pipeline of the
 * main branch here, with a trigger token. STACKYARD_TOKEN is a project access token with the scope "api" and the role Maintainer.
 *
 * @param runner an image with git and Node.js
 * @param installer the file that installs `program`
 * @param root the folder of the registry in a larger repository
 */
export function gitlabPipeline(
  runner: string,
  installer: string,
  program: string,
  root: string,
): string {
  const isTrigger = (kind: string): string =>
    `$CI_PIPELINE_SOURCE == "trigger" && $STACKYARD_EVENT == "${kind}"`;
  const rules = (...conditions: string[]): string =>
    `  rules:\n${conditions.map((condition) => `    - if: '${condition}'\n`).join('')}`;
  const named = (name: string): string => `$STACKYARD_WORKFLOW == "${name}"`;
  const isPush = '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == "main"';
  const changes = root === '' ? '' : `      changes: ['${root}**/*', 'registry.config.json']\n`;
  return `# The jobs of the registry. Webhooks start them: see docs/operate.md of the software. Nothing of a merge request is checked out
# or run: its commits are fetched as objects and read as data.
default:
  image: ${runner}
  interruptible: false

variables:
  GIT_STRATEGY: clone
  GIT_DEPTH: '0'
  CODE_HOST: gitlab
  BASE_BRANCH: main
  GITHUB_TOKEN: $STACKYARD_TOKEN
  GITHUB_EVENT_PATH: $TRIGGER_PAYLOAD
  PULL_NUMBER: $PULL
  # A variable of the project names another one, or none.

.registry:
  before_script:
    - git checkout -q -B main "origin/main"
    - node ${installer}
    # The webhook of a merge request has its number in a file.
    - if [ -z "$PULL" ] && [ -f "$TRIGGER_PAYLOAD" ]; then export PULL_NUMBER="$(node -p 'JSON.parse(fs.readFileSync(process.env.TRIGGER_PAYLOAD)).object_attributes.iid')"; fi

gate:
  extends: .registry
  stage: build
  resource_group: publish-$PULL
${rules(isTrigger('merge_request'), named('publish'))}  variables:
    VERDICT_FILE: verdict.json
  script:
    - ${program} host gate || [ -f verdict.json ]
  artifacts:
    paths: [verdict.json]
    expire_in: 7 days

settle:
  extends: .registry
  stage: deploy
  needs: [gate]
${rules(isTrigger('merge_request'), named('publish'))}  variables:
    VERDICT_FILE: verdict.json
  script:
    # Who starts a pipeline by hand with APPROVED_HEAD approves; GitLab names the account.
    - if [ -n "$APPROVED_HEAD" ]; then export APPROVED_BY="$GITLAB_USER_LOGIN" APPROVED_BY_ID="$GITLAB_USER_ID" TRIGGERED_BY="$GITLAB_USER_LOGIN"; fi
    # A merge request that changes nothing of the registry has no verdict.
    - if [ -f verdict.json ]; then ${program} host settle; fi

signals:
  extends: .registry
  stage: deploy
${rules(isTrigger('issue'))}  variables:
    FORM_FILE: form.json
  script:
    - ${program} host read-form
    - ${program} host file-form

waiting:
  extends: .registry
  stage: deploy
${rules('$CI_PIPELINE_SOURCE == "schedule" && $STACKYARD_SCHEDULE == "waiting"')}  script:
    - ${program} host wake-waiting

deploy:
  extends: .registry
  stage: deploy
  resource_group: deploy
${rules(named('deploy'), '$CI_PIPELINE_SOURCE == "schedule" && $STACKYARD_SCHEDULE == "deploy"', isPush)}${changes}  variables:
    INDEX_FOLDER: deploy/index
    STATE_FILE: deploy/state.sqlite
  script:
    - ${program} host create-labels
    - ${program} host generate
    - ${program} log:cosign --out deploy/index
    - ${program} host deploy
    - ${program} host keep-log
    - ${program} host check-freshness
`;
}
