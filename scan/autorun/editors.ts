/** What the files of a project cause editors, containers and code hosts to run. */
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { isObject, readJsonObject, stringEntries } from '../text/json-text.ts';
import { findShellDangers } from '../shell/find-dangers.ts';
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
      whole(
        `the task ${JSON.stringify(task['label'] ?? '')}`,
        'the editor opens the folder',
        isHidden ? 'error' : 'warn',
        'folderOpen',
        shell,
      ),
    ];
  });
}

/** The texts of settings, and the programs with their arguments, such as those of terminals. */
function commandsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > 8 || typeof value !== 'object' || value === null) return [];
  const { path, program, args, arguments: more } = value as Record<string, unknown>;
  const command = Array.isArray(path) ? path[0] : (path ?? program);
  const line = commandLine({ command, args: args ?? more });
  const inner = Object.values(value).slice(0, 200) as unknown[];
  return [line, ...inner.flatMap((one) => commandsIn(one, depth + 1))];
}

function dangerousEntries(commands: readonly string[], when: string): AutorunEntry[] {
  const found = commands.find((one) =>
    findShellDangers(one).some(({ kind }) => kind !== 'inline' && kind !== 'fetch'),
  );
  if (found === undefined) return [];
  return [whole('a command', when, 'warn', found.slice(0, 20), found)];
}

/** Settings of vi and Emacs for one folder: what follows a `!`, and texts. */
export function readEditorScript(text: string): AutorunEntry[] {
  const found = text.matchAll(/!\s*([^\n]{1,1000})|(["'])((?:(?!\2)[^\n]){10,1000})\2/g);
  const commands = Array.from(found, ([, command, , quoted]) => command ?? quoted ?? '');
  return dangerousEntries(commands, 'an editor opens a file of the folder');
}

/** `.vscode/settings.json` and those of other editors. */
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
  const commands = dangerousEntries(commandsIn(settingsOf), 'the editor opens a terminal');
  const allowed = Object.entries(keys).flatMap(([key, level]): AutorunEntry[] => {
    const value = settingsOf[key];
    if (
      value === undefined ||
      (key.startsWith('security.') && value !== false) ||
      (key.startsWith('chat.') && value !== true) ||
      value === 'off'
    )
      return [];
    return [whole(`what "${key}" allows`, 'the editor opens the folder', level, key)];
  });
  return [...allowed, ...commands];
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
    const when = 'the development container is made or opened';
    return list.map((shell) => whole(`"${key}"`, when, level, key, shell));
  });
}

/** A workflow of the code host; `remote-code` judges those that run changes of strangers. */
export function readWorkflow(): AutorunEntry[] {
  // Published records contain this text: it never changes.
  return [whole('the workflow', 'the code host is told to', 'info')];
}
