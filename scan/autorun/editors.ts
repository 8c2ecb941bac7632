/** What the files of a project cause editors, containers and code hosts to run. */
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { isObject, readJsonObject, stringEntries } from '../text/json-text.ts';
import { commandLine, whole, type AutorunEntry } from './packages.ts';

/** `.vscode/tasks.json`. */
export function readTasks(text: string): AutorunEntry[] {
  const tasks: unknown = readJsonObject(text)?.['tasks'];
  return (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown) => {
    if (
      !isObject(task) ||
      !isObject(task['runOptions']) ||
      task['runOptions']['runOn'] !== 'folderOpen'
    )
      return [];
    const shell = commandLine(task);
    const isHidden =
      isObject(task['presentation']) &&
      (task['presentation']['reveal'] === 'never' || task['presentation']['echo'] === false);
    return [
      {
        what: `the task ${JSON.stringify(task['label'] ?? '')}`,
        when: 'the editor opens the folder',
        level: isHidden ? ('error' as const) : ('warn' as const),
        shell,
        near: 'folderOpen',
      },
    ];
  });
}

/** `.vscode/settings.json`. */
export function readEditorSettings(text: string): AutorunEntry[] {
  const keys: Readonly<Record<string, FindingLevel>> = {
    'task.allowAutomaticTasks': 'warn',
    'security.workspace.trust.enabled': 'warn',
    'git.path': 'warn',
    'python.defaultInterpreterPath': 'info',
    'terminal.integrated.automationProfile.linux': 'warn',
    'chat.tools.autoApprove': 'error',
    'chat.tools.global.autoApprove': 'error',
  };
  const settingsOf = readJsonObject(text) ?? {};
  return Object.entries(keys).flatMap(([key, level]) => {
    const value = settingsOf[key];
    if (
      value === undefined ||
      (key.startsWith('security.') && value !== false) ||
      (key.startsWith('chat.') && value !== true) ||
      value === 'off'
    )
      return [];
    return [
      {
        what: `what "${key}" allows`,
        when: 'the editor opens the folder',
        level,
        shell: '',
        near: key,
      },
    ];
  });
}

/** `devcontainer.json`. */
export function readDevcontainer(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  return [
    'initializeCommand',
    'onCreateCommand',
    'updateContentCommand',
    'postCreateCommand',
    'postStartCommand',
    'postAttachCommand',
  ].flatMap((key) => {
    const value = config[key];
    const list =
      typeof value === 'string'
        ? [value]
        : Array.isArray(value)
          ? [value.join(' ')]
          : stringEntries(value).map(([, text_]) => text_);
    // The first runs on the user's machine, the others in a container.
    const level = key === 'initializeCommand' ? 'warn' : 'info';
    return list.map(
      (shell) =>
        ({
          what: `"${key}"`,
          when: 'the development container is made or opened',
          level,
          shell,
          near: key,
        }) as const,
    );
  });
}

/** A workflow of the code host. */
export function readWorkflow(text: string): AutorunEntry[] {
  const isDangerous =
    /^\s{0,20}(?:-\s)?(?:pull_request_target|workflow_run)\s*:?\s*$|\[[^\]\n]{0,200}pull_request_target/m.test(
      text,
    ) && /github\.event\.(?:pull_request|workflow_run)\.head/.test(text);
  return isDangerous
    ? [
        {
          ...whole(
            "a stranger's change with the repository's rights",
            'a pull request is opened',
            // It endangers the publisher's repository, not the users of the build.
            'info',
          ),
          near: 'github.event',
        },
      ]
    : // allow-word told: evidence in published records, which must not change
      [whole('the workflow', 'the code host is told to', 'info')];
}
