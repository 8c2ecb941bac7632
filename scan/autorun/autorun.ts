/**
 * Files that make a project run code automatically: it is enough to open, enter, install or commit the project.
 * One reader per kind of file; each returns what runs, when, and how bad that is.
 */
import { readAgentHooks, readCodex, readMcp } from './agents.ts';
import { readDevcontainer, readEditorSettings, readTasks, readWorkflow } from './editors.ts';
import { byPath } from '../parse/by-path.ts';
import { whole, type AutorunEntry } from './entry.ts';
import { readGitconfig, readGyp, readNpmrc, readPth, readSetup, readYarnrc } from './packages.ts';

interface Reader {
  readonly path: RegExp;
  readonly read: (text: string, path: string) => AutorunEntry[];
}

const READERS: readonly Reader[] = [
  { path: /(?:^|\/)\.npmrc$/, read: readNpmrc },
  { path: /(?:^|\/)\.yarnrc\.yml$/, read: readYarnrc },
  {
    path: /(?:^|\/)\.pnpmfile\.[cm]?js$/,
    read: () => [whole('pnpm hooks', 'pnpm installs', 'warn')],
  },
  { path: /(?:^|\/)binding\.gyp$/, read: readGyp },
  {
    path: /(?:^|\/)(?:site|user)customize\.py$/,
    read: () => [whole('the module', 'any Python program starts', 'warn')],
  },
  { path: /\.pth$/, read: readPth },
  { path: /(?:^|\/)conftest\.py$/, read: () => [whole('the module', 'pytest runs', 'info')] },
  { path: /(?:^|\/)setup\.py$/, read: readSetup },
  { path: /(?:^|\/)\.vscode\/tasks\.json$/, read: readTasks },
  { path: /(?:^|\/)\.vscode\/settings\.json$/, read: readEditorSettings },
  {
    path: /(?:^|\/)(?:\.devcontainer\/(?:[^/]+\/)?devcontainer|\.devcontainer)\.json$/,
    read: readDevcontainer,
  },
  {
    path: /(?:^|\/)(?:\.husky\/[\w-]+|\.githooks\/[\w-]+|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml)$/,
    read: () => [whole('the hook', 'git commits or pushes', 'info')],
  },
  { path: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/, read: readWorkflow },
  {
    path: /(?:^|\/)\.envrc$/,
    read: () => [whole('the script', 'direnv enters the folder', 'info')],
  },
  { path: /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/, read: readAgentHooks },
  {
    path: /(?:^|\/)\.(?:cursor|gemini|codex|windsurf|kiro|qwen)\/(?:hooks|settings|config)\.json$/,
    read: readAgentHooks,
  },
  {
    path: /(?:^|\/)(?:\.mcp|mcp|\.(?:cursor|vscode|roo|kiro\/settings)\/mcp)\.json$/,
    read: readMcp,
  },
  { path: /(?:^|\/)\.codex\/config\.toml$/, read: readCodex },
  { path: /(?:^|\/)\.gitconfig$/, read: readGitconfig },
];

/** What runs automatically because of the file at `path`. */
export function autorunEntries(path: string, text: string): AutorunEntry[] {
  return readersOf(path).flatMap((reader) => reader.read(text.slice(0, 1_000_000), path));
}

const readersOf = byPath((path) => READERS.filter((reader) => reader.path.test(path)));
