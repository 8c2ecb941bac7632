/**
 * Code that starts automatically: install scripts, settings of package managers, editors and coding agents,
 * and the files that Python loads automatically.
 */
import { wordsOf } from '../../parse/word-list.ts';
import { parse as parseToml } from 'smol-toml';
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { collisionKey } from '../../../format/build/file-path.ts';
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/decode-text.ts';
import { findString, readJsonObject, stringEntries, isObject } from '../../text/json-text.ts';
import { isInstallScript } from '../../text/idle-file.ts';
import {
  whole,
  readGitconfig,
  readGyp,
  readNpmrc,
  readPth,
  readSetup,
  readYarnrc,
  commandLine,
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
import { byPath } from '../../parse/syntax.ts';
import { parseShell } from '../../shell/parse-shell.ts';
import {
  inlineCode,
  isFetcher,
  isInterpreter,
  isShell,
  programOf,
} from '../../shell/shell-program.ts';
import { inlineTraits } from '../../shell/shell-danger.ts';

/** `tool`: known tools alone. `own`: runs code of the build. `inline`: code in the script. `fetch`: goes to the network. */
type ScriptKind = 'tool' | 'own' | 'inline' | 'fetch';

/** Tools that only build, check or set up when a package is installed. */
const TOOLS = new Set(
  (
    'node-gyp node-gyp-build node-pre-gyp prebuild-install prebuildify cmake-js napi-postinstall husky is-ci lefthook simple-git-hooks yorkie ' +
    'patch-package postinstall-postinstall opencollective opencollective-postinstall tsc tsup rollup vite webpack esbuild swc babel unbuild parcel ' +
    'prisma electron-builder electron-rebuild ngcc nuxt nuxi next wxt svelte-kit playwright puppeteer lerna turbo nx changeset eslint prettier biome ' +
    'oxlint vitest jest mocha ava tap nyc c8 rimraf del-cli mkdirp cpy cpx copyfiles shx mkdir cp mv rm test [ echo true false exit cd make cmake ' +
    'cross-env-shell dotenv ts-patch graphql-codegen buf typedoc microbundle aegir xo standard gulp grunt bower cargo wasm-pack ncc ts-node-dev pinst ' +
    'only-allow npx-only-allow check-node-version auto-changelog release-it np git-cz skott knip publint attw size-limit tshy pkgroll bunchee zshy obuild ' +
    'husky-init is-ci-cli in-publish not-in-publish safe-publish-latest aud evalmd npmignore ls-engines conditional-type-checks dumi father ice git lint-staged'
  ).split(' '),
);
const MANAGERS = new Set(
  wordsOf([
    'npm pnpm yarn bun npx pnpx bunx run-s run-p npm-run-all wireit node-modules-run',
    'npm-run-all2',
  ]),
);
const MAX_FOLLOWED = 8;

/** The kind of the script `name` of `scripts`; scripts that it runs by name are followed. */
export function installScriptKind(
  name: string,
  scripts: Readonly<Record<string, string>>,
  depth = 0,
): ScriptKind {
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (text === undefined || depth > MAX_FOLLOWED) return 'tool';
  return worst(
    parseShell(text.slice(0, 20_000))
      .flat()
      .map((command): ScriptKind => {
        const program = programOf(command);
        if (program === undefined) return 'tool';
        if (isFetcher(program.name)) return 'fetch';
        const code = inlineCode(program);
        if (code !== undefined) return inlineKind(code.text);
        if (MANAGERS.has(program.name))
          return managed(
            program.args.map((word) => word.text),
            scripts,
            depth,
          );
        if (TOOLS.has(program.name)) return 'tool';
        if (isShell(program.name) || isInterpreter(program.name)) return 'own';
        return 'own';
      }),
  );
}

/** Inline code that only requires a file of the build is the build's own code. */
function inlineKind(code: string): ScriptKind {
  const { network, execution, hiding } = inlineTraits(code);
  if (network || hiding) return 'fetch';
  return execution || code.length > 200 ? 'inline' : 'own';
}

function managed(
  args: readonly string[],
  scripts: Readonly<Record<string, string>>,
  depth: number,
): ScriptKind {
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (first === 'run' || first === 'run-script')
    return installScriptKind(second, scripts, depth + 1);
  if (first === 'exec' || first === 'dlx' || first === 'x')
    return TOOLS.has(second) ? 'tool' : 'own';
  if (Object.hasOwn(scripts, first)) return installScriptKind(first, scripts, depth + 1);
  // An install script that installs more adds packages that no manifest declares.
  if (/^(?:install|i|add)$/.test(first) && second !== '') return 'inline';
  if (
    /^(?:install|i|ci|add|rebuild|build|test|prune|dedupe|audit|explore)$/.test(first) ||
    first === ''
  )
    return 'tool';
  return TOOLS.has(first.split('@')[0] ?? '') ? 'tool' : 'own';
}

function worst(kinds: readonly ScriptKind[]): ScriptKind {
  return (['fetch', 'inline', 'own'] as const).find((kind) => kinds.includes(kind)) ?? 'tool';
}

/**
 * Files that make a project run code automatically: it is enough to open, enter, install or commit the project.
 * One reader per kind of file; each returns what runs, when, and how bad that is.
 */
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
  {
    path: /(?:^|\/)\.(?:vscode|zed|fleet)\/(?:settings|run)\.json$|\.code-workspace$/,
    read: readEditorSettings,
  },
  { path: /(?:^|\/)(?:\.exrc|\.n?vimrc|\.nvim\.lua|\.dir-locals\.el)$/, read: readEditorScript },
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

const LEVELS: Readonly<Record<ScriptKind, FindingLevel>> = {
  tool: 'info',
  own: 'warn',
  inline: 'warn',
  fetch: 'error',
};
const DOES: Readonly<Record<ScriptKind, string>> = {
  tool: 'starts build tools',
  own: 'runs code of the build',
  inline: 'runs code in the script itself',
  fetch: 'goes to the network',
};

export const autoRun: Rule = {
  name: 'auto-run',
  run: ({ files }) =>
    files.flatMap((file) => {
      const path = collisionKey(file.path);
      if (path === MANIFEST_FILE || path.endsWith('package.json')) return installScripts(file);
      const text = file.text ?? '';
      return autorunEntries(path, text).map((entry) => toFinding(file, text, entry));
    }),
};

function installScripts(file: ScannedFile): Finding[] {
  const { text, path } = file;
  if (text === undefined || !/(?:^|\/)(?:package|stackyard)\.json$/i.test(path)) return [];
  const entries = stringEntries(readJsonObject(text)?.['scripts']);
  const scripts = Object.fromEntries(entries);
  return entries
    .filter(([name]) => isInstallScript(name))
    .map(([name, script]) => {
      const kind = installScriptKind(name, scripts);
      const args = { script: name, does: DOES[kind], text: quote(script) };
      const start = findString(text, name, script);
      return at(
        finding('auto-run-script', path, args, levelOf(name, kind, path)),
        file.place(start, script.length),
      );
    });
}

/** `prepare` runs only when the build is the project itself, after its code was fetched on purpose. */
function levelOf(name: string, kind: ScriptKind, path: string): FindingLevel {
  if (kind === 'fetch') return isTestPath(path) ? 'warn' : 'error';
  if (name.endsWith('prepare') || isTestPath(path)) return kind === 'inline' ? 'warn' : 'info';
  return LEVELS[kind];
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
  const found = finding('auto-run-file', file.path, args, isDangerous ? 'error' : usual);
  const start = near === '' ? -1 : text.indexOf(near);
  return start === -1 ? found : at(found, file.place(start, near.length));
}

/** Settings of coding agents with hooks. */
export function readAgentHooks(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const found: AutorunEntry[] = [];
  for (const { key, value } of commandsUnder(config['hooks'])) {
    found.push(
      whole(`the hook "${key}"`, 'a coding agent works', 'warn', value.slice(0, 40), value),
    );
  }
  const helper = config['apiKeyHelper'] ?? config['statusLine'];
  if (typeof helper === 'string')
    found.push(
      whole('a helper program', 'a coding agent works', 'warn', helper.slice(0, 40), helper),
    );
  if (config['enableAllProjectMcpServers'] === true)
    found.push(
      whole(
        'every server that the project names',
        'a coding agent starts',
        'warn',
        'enableAllProjectMcpServers',
      ),
    );
  return found;
}

function commandsUnder(value: unknown, key = '', depth = 0): { key: string; value: string }[] {
  if (depth > 8) return [];
  if (Array.isArray(value))
    return value.slice(0, 100).flatMap((one: unknown) => commandsUnder(one, key, depth + 1));
  if (!isObject(value)) return [];
  const own = typeof value['command'] === 'string' ? [{ key, value: commandLine(value) }] : [];
  return [
    ...own,
    ...Object.entries(value)
      .slice(0, 100)
      .flatMap(([name, one]) => commandsUnder(one, depth === 0 ? name : key, depth + 1)),
  ];
}

/** Servers that coding agents start. */
export function readMcp(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const servers = config['mcpServers'] ?? config['servers'];
  return (isObject(servers) ? Object.entries(servers) : [])
    .slice(0, 100)
    .flatMap(([name, server]) => {
      if (!isObject(server)) return [];
      const shell = commandLine(server);
      return shell === ''
        ? []
        : [
            whole(
              `the server "${name}"`,
              'a coding agent starts',
              'warn',
              JSON.stringify(name),
              shell,
            ),
          ];
    });
}

/** `.codex/config.toml`. */
export function readCodex(text: string): AutorunEntry[] {
  try {
    const config = parseToml(text);
    const found: AutorunEntry[] = commandsUnder(config['mcp_servers']).map(({ key, value }) =>
      whole(`the server "${key}"`, 'a coding agent starts', 'warn', value.slice(0, 20), value),
    );
    if (config['approval_policy'] === 'never' || config['sandbox_mode'] === 'danger-full-access')
      found.push(whole('anything', 'a coding agent works', 'error', 'approval_policy'));
    return found;
  } catch {
    return [];
  }
}
