/**
 * Code that starts automatically: install scripts, settings of package managers, editors and coding agents,
 * and the files that Python loads automatically.
 */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { collisionKey } from '../../../format/build/file-path.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { findString, readJsonObject, stringEntries } from '../../text/json-text.ts';
import { isInstallScript } from '../../text/idle-file.ts';
import {
  whole,
  readGitconfig,
  readGyp,
  readNpmrc,
  readPth,
  readSetup,
  readYarnrc,
  type AutorunEntry,
} from '../../autorun/packages.ts';
import { findShellDangers } from '../../shell/find-dangers.ts';
import { quote } from '../../text/quote.ts';
import {
  readDevcontainer,
  readEditorScript,
  readEditorSettings,
  readTasks,
  readWorkflow,
} from '../../autorun/editors.ts';
import { byPath } from '../../parse/by-path.ts';
import { readAgentHooks, readMcp, readCodex } from '../../autorun/agents.ts';
import { type ScriptKind, installScriptKind } from '../../autorun/install-script.ts';

/**
 * Files that make a project run code automatically: it is enough to open, enter, install or commit the project.
 * One reader per kind of file; each returns what runs, when, and how bad that is.
 */
const READERS: readonly (readonly [RegExp, (text: string) => AutorunEntry[]])[] = [
  [/(?:^|\/)\.npmrc$/, readNpmrc],
  [/(?:^|\/)\.yarnrc\.yml$/, readYarnrc],
  [/(?:^|\/)\.pnpmfile\.[cm]?js$/, () => [whole('pnpm hooks', 'pnpm installs', 'warn')]],
  [/(?:^|\/)binding\.gyp$/, readGyp],
  [
    /(?:^|\/)(?:site|user)customize\.py$/,
    () => [whole('the module', 'any Python program starts', 'warn')],
  ],
  [/\.pth$/, readPth],
  [/(?:^|\/)conftest\.py$/, () => [whole('the module', 'pytest runs', 'info')]],
  [/(?:^|\/)setup\.py$/, readSetup],
  [/(?:^|\/)\.vscode\/tasks\.json$/, readTasks],
  [/(?:^|\/)\.(?:vscode|zed|fleet)\/(?:settings|run)\.json$|\.code-workspace$/, readEditorSettings],
  [/(?:^|\/)(?:\.exrc|\.n?vimrc|\.nvim\.lua|\.dir-locals\.el)$/, readEditorScript],
  [/(?:^|\/)(?:\.devcontainer\/(?:[^/]+\/)?devcontainer|\.devcontainer)\.json$/, readDevcontainer],
  [
    /(?:^|\/)(?:\.husky\/[\w-]+|\.githooks\/[\w-]+|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml)$/,
    () => [whole('the hook', 'git commits or pushes', 'info')],
  ],
  [/(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/, readWorkflow],
  [/(?:^|\/)\.envrc$/, () => [whole('the script', 'direnv enters the folder', 'info')]],
  [/(?:^|\/)\.claude\/settings(?:\.local)?\.json$/, readAgentHooks],
  [
    /(?:^|\/)\.(?:cursor|gemini|codex|windsurf|kiro|qwen)\/(?:hooks|settings|config)\.json$/,
    readAgentHooks,
  ],
  [/(?:^|\/)(?:\.mcp|mcp|\.(?:cursor|vscode|roo|kiro\/settings)\/mcp)\.json$/, readMcp],
  [/(?:^|\/)\.codex\/config\.toml$/, readCodex],
  [/(?:^|\/)\.gitconfig$/, readGitconfig],
];

/** What runs automatically because of the file at `path`. */
export function autorunEntries(path: string, text: string): AutorunEntry[] {
  return readersOf(path).flatMap(([, read]) => read(text.slice(0, 1_000_000)));
}

const readersOf = byPath((path) => READERS.filter(([pattern]) => pattern.test(path)));

const SCRIPTS: Readonly<Record<ScriptKind, { does: string; level: FindingLevel }>> = {
  tool: { does: 'starts build tools', level: 'info' },
  own: { does: 'runs code of the build', level: 'warn' },
  inline: { does: 'runs code in the script itself', level: 'warn' },
  fetch: { does: 'goes to the network', level: 'error' },
};

export const autoRun = ruleOfFiles('auto-run', (file) => {
  const path = collisionKey(file.path);
  if (path === MANIFEST_FILE || path.endsWith('package.json')) return installScripts(file);
  const text = file.text ?? '';
  return autorunEntries(path, text).map((entry) => toFinding(file, text, entry));
});

function installScripts(file: ScannedFile): Finding[] {
  const { text, path } = file;
  if (text === undefined || !/(?:^|\/)(?:package|stackyard)\.json$/i.test(path)) return [];
  const entries = stringEntries(readJsonObject(text)?.['scripts']);
  const scripts = Object.fromEntries(entries);
  return entries
    .filter(([name]) => isInstallScript(name))
    .map(([name, script]) => {
      const kind = installScriptKind(name, scripts);
      const args = { script: name, does: SCRIPTS[kind].does, text: quote(script) };
      const start = findString(text, name, script);
      const level = levelOf(name, kind, path);
      return findingIn(file, 'auto-run-script', args, start, script.length, level);
    });
}

/** `prepare` runs only when the build is the project itself, after its code was fetched on purpose. */
function levelOf(name: string, kind: ScriptKind, path: string): FindingLevel {
  if (kind === 'fetch') return isTestPath(path) ? 'warn' : 'error';
  if (name.endsWith('prepare') || isTestPath(path)) return kind === 'inline' ? 'warn' : 'info';
  return SCRIPTS[kind].level;
}

function toFinding(
  file: ScannedFile,
  text: string,
  { what, when, level, shell, near }: AutorunEntry,
): Finding {
  const isDangerous =
    shell !== '' &&
    findShellDangers(shell).some(({ kind }) => kind !== 'inline' && kind !== 'fetch');
  const args = { what: quote(what, 80), when, text: shell === '' ? '' : quote(shell) };
  // Nothing in a folder of tests runs automatically, whatever its name.
  const usual = level === 'warn' && isTestPath(file.path) ? 'info' : level;
  const judged = isDangerous ? 'error' : usual;
  const start = near === '' ? -1 : text.indexOf(near);
  return start === -1
    ? finding('auto-run-file', file.path, args, judged)
    : findingIn(file, 'auto-run-file', args, start, near.length, judged);
}
