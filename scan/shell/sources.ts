/** Every place of a build that contains shell text, and who runs it. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { collisionKey } from '../../format/build/file-path.ts';
import { isAgentFile } from '../../format/build/consent.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { extensionOf } from '../text/file-kind.ts';
import { findString, readJsonObject, stringEntries } from '../text/json-text.ts';
import { isInstallScript } from '../text/idle-file.ts';
import { markdownParts } from '../text/markdown.ts';
import { byPath } from '../parse/by-path.ts';
import { wordPattern, wordsOf } from '../parse/word-list.ts';

/** Who runs the text: a package manager or editor automatically, a person or CI, a container, an agent, a reader. */
type Runner = 'autorun' | 'script' | 'container' | 'agent' | 'reader';

interface ShellPlace {
  readonly file: ScannedFile;
  readonly runner: Runner;
  readonly text: string;
  /** Where `text` begins in the file's text. */
  readonly start: number;
  /** Places within `text` are places in the file too; otherwise only the start is. */
  readonly isVerbatim: boolean;
  /** The name of the script in `package.json`, `''` elsewhere. */
  readonly script: string;
  /** Of a workflow: variables that hold a secret, and its name. */
  readonly secrets?: ReadonlyMap<string, string>;
}

const SHELL_EXTENSIONS = new Set(wordsOf(['sh bash zsh ksh fish command bat cmd ps1 psm1 envrc']));
const SHELL_LANGUAGES = new Set([
  '',
  ...wordsOf([
    'sh bash shell zsh console terminal shell-session shellsession powershell ps1 pwsh bat cmd batch',
    'fish text plaintext',
  ]),
]);
const HOOK_FOLDERS = /(?:^|\/)(?:\.husky|\.githooks|\.git-templates?|git-hooks)\//;

/** The shell text of `build`, file by file. */
export function shellPlaces(build: ScannedBuild): ShellPlace[] {
  return build.files.flatMap((file) => {
    const kind = kindOf(file);
    return kind === undefined ? [] : extract(file, kind);
  });
}

type Kind = 'package' | 'shell' | 'hook' | 'make' | 'container' | 'yaml' | 'markdown';

function kindOf(file: ScannedFile): Kind | undefined {
  const kind = kindByPath(file.path);
  if (kind !== 'unnamed') return kind;
  const start = Buffer.from(file.bytes.subarray(0, 120)).toString('latin1');
  return /^#![^\n]{0,100}\b(?:ba|z|da|k|a)?sh\b/.test(start) ? 'shell' : undefined;
}

/** `unnamed` without an extension, where the first line decides. */
const kindByPath = byPath((original): Kind | 'unnamed' | undefined => {
  const path = collisionKey(original);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = extensionOf(name);
  if (name === 'package.json' || path === MANIFEST_FILE) return 'package';
  if (HOOK_FOLDERS.test(path) && !['md', 'gitignore', 'json', 'js'].includes(extension))
    return 'hook';
  if (name === '.envrc' || /^\.(?:bashrc|zshrc|profile|bash_profile|zshenv)$/.test(name))
    return 'hook';
  if (SHELL_EXTENSIONS.has(extension)) return 'shell';
  if (/^(?:gnu)?makefile$|^\.?justfile$/.test(name) || extension === 'mk' || extension === 'just')
    return 'make';
  if (/^(?:dockerfile|containerfile)(?:\.|$)/.test(name) || extension === 'dockerfile')
    return 'container';
  if (
    (extension === 'yml' || extension === 'yaml') &&
    /(?:^|\/)\.(?:github|gitlab|circleci|forgejo|gitea)|^\.|pipelines|action\.ya?ml$|cloudbuild|lefthook|taskfile/.test(
      path,
    )
  )
    return 'yaml';
  if (['md', 'mdx', 'mdc', 'markdown', 'rst'].includes(extension) || isAgentFile(path))
    return 'markdown';
  return extension === '' ? 'unnamed' : undefined;
});

function extract(file: ScannedFile, kind: Kind): ShellPlace[] {
  // A shell accepts invalid UTF-8 and NUL, so neither must hide a script from the scanner.
  const text = file.text ?? Buffer.from(file.bytes).toString('latin1');
  const whole = (runner: Runner, shell: string): ShellPlace[] => [
    { file, runner, text: shell, start: 0, isVerbatim: true, script: '' },
  ];
  switch (kind) {
    case 'package':
      return packageScripts(file, text);
    case 'shell':
      return whole('script', text);
    case 'hook':
      return whole('autorun', text);
    case 'make':
      return whole('script', makeShell(text));
    case 'container':
      return whole('container', dockerShell(text));
    case 'yaml':
      return whole('script', yamlShell(text)).map((one) => ({ ...one, secrets: secretsOf(text) }));
    case 'markdown':
      return markdownShell(file);
  }
}

/** Scripts of a file whose places are looked for: each search begins at its start. */
export const MAX_PLACED = 200;

/** `scripts` of package.json, and of the manifest, which are added to package.json. */
function packageScripts(file: ScannedFile, text: string): ShellPlace[] {
  return stringEntries(readJsonObject(text)?.['scripts']).map(([script, shell], at) => {
    const runner = isInstallScript(script) ? 'autorun' : 'script';
    return {
      file,
      runner,
      text: shell,
      start: at < MAX_PLACED ? findString(text, script, shell) : 0,
      isVerbatim: false,
      script,
    };
  });
}

/** The same text with everything that is not shell replaced by blanks, so that offsets stay. */
function dockerShell(text: string): string {
  // A comment between continued lines continues them.
  return text.replaceAll(DOCKER_BLANKS, (part) =>
    /^\s*#/.test(part) ? `${' '.repeat(part.length - 1)}\\` : ' '.repeat(part.length),
  );
}

const DOCKER_BLANKS = wordPattern(/WORDS/gm, {
  'instructions whose words are shell, and their options': [
    /^[ \t]*(?:RUN|CMD|ENTRYPOINT|SHELL|ONBUILD RUN|HEALTHCHECK)[ \t]+(?:--\w+=\S{1,200}[ \t]+){0,5}/,
  ],
  'instructions that no shell reads': [/^[ \t]*[A-Z]+[ \t][^\n]*/],
  comments: [/^[ \t]*#[^\n]*/],
});

/** Variables of make become plain words, and assignments of make are not shell commands. */
function makeShell(text: string): string {
  const rooted = new Set(
    Array.from(text.matchAll(MAKE_ASSIGNMENT), ([, name, value = '']) =>
      /^(?:[/~]|\$[({]?HOME)/.test(value) ? name : undefined,
    ),
  );
  return text
    .replaceAll('$$', ' $')
    .replaceAll(/\$[({](\w{1,60})[)}]/g, (part, name: string) =>
      rooted.has(name) || name === 'HOME' ? part : `__${name}_`,
    )
    .replaceAll(
      /^([\w.-]{1,60})([ \t]*[:?+!]{0,2}=)(?!=)/gm,
      (_, name: string, rest: string) =>
        `${name.replaceAll(/[.-]/g, '_')}${'_'.repeat(rest.length - 1)}=`,
    )
    .replaceAll(
      /^([\w.-]{1,60}_=)([ \t]+)/gm,
      (_, assigned: string, gap: string) => `${assigned}${'_'.repeat(gap.length)}`,
    );
}

const MAKE_ASSIGNMENT =
  /^[ \t]{0,8}([\w.-]{1,60})[ \t]{0,20}[:?+]{0,2}=[ \t]{0,20}([^\n]{0,200})/gm;

/** `NAME: ${{ secrets.X }}`, `NAME: ${{ toJSON(secrets) }}`. */
const SECRET_VARIABLE =
  /^[ \t-]*(\w{1,60}):[ \t]*["']?\$\{\{\s*(?:toJSON\(\s*)?secrets(?:\.(\w{1,80}))?[\s)}]/gim;

function secretsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(text.matchAll(SECRET_VARIABLE), ([, name = '', secret = '*']) => [name, secret]),
  );
}

/** An expression becomes one word. */
function yamlShell(text: string): string {
  return text
    .replaceAll(/\$\{\{[^{}\n]{1,200}\}\}/g, (one) => one.replaceAll(/[^\w.${}]/g, '_'))
    .replaceAll(/^[ \t]*#[^\n]*/gm, (comment) => ' '.repeat(comment.length))
    .replaceAll(
      /^[ \t]*(?:-[ \t]+)?(?:[\w./-]{1,60}:(?=[ \t\r]|$))?[ \t]*(?:[|>][+-]?\d?(?=[ \t\r]*$))?/gm,
      (part) => ' '.repeat(part.length),
    );
}

function markdownShell(file: ScannedFile): ShellPlace[] {
  const isForAgents = isAgentFile(file.path) || /(?:^|\/)integration\.md$/i.test(file.path);
  const runner = isForAgents ? 'agent' : 'reader';
  return markdownParts(file)
    .filter(
      ({ kind, language }) =>
        kind === 'span' || kind === 'comment' || SHELL_LANGUAGES.has(language),
    )
    .filter((part) => part.kind !== 'span' || part.text.includes(' '))
    .map((part) => {
      const shell = part.text.replaceAll(NO_SHELL, (mark) => ' '.repeat(mark.length));
      return { file, runner, text: shell, start: part.start, isVerbatim: true, script: '' };
    });
}

const NO_SHELL = wordPattern(/^[ \t]*WORDS/gm, {
  'a prompt: in "$ curl ..." the text after it is the command': [/(?:[$>%#]|PS[^>\n]{0,60}>)[ \t]/],
  'a fence in indented code, such as in a tab of MkDocs': [
    /(?:`{3}|~{3})[ \t]*[\w+#.-]{0,30}[ \t]*$/,
  ],
});
