/**
 * Files beside the code of a build: tests, fixtures, examples, documents, settings of CI. What is wrong with one of
 * them harms no user of the build, unless other code names it.
 */
import { wordPattern, wordsOf } from '../parse/word-list.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { fileKind, isTestPath } from './file-kind.ts';
import { once } from '../once.ts';
import { readJsonObject, stringEntries } from './json-text.ts';

const CI_FILE = wordPattern(/(?:^|\/)WORDS/, {
  folders: [/\.(?:github|gitlab|circleci|forgejo|gitea|buildkite)\//],
  files: [/\.(?:travis|gitlab-ci|appveyor|cirrus)\.ya?ml$/, /\.?azure-pipelines[\w-]*\.ya?ml$/],
});
const DOCUMENT = /(?:^|\/)(?:docs?|documentation|website|wiki)\/|\.(?:mdx?|rst|adoc|asciidoc)$/i;

/** Whether a continuous integration service reads the file. */
export function isCiPath(path: string): boolean {
  return CI_FILE.test(path);
}

/** Whether the file documents the build for people. */
export function isDocumentPath(path: string): boolean {
  return DOCUMENT.test(path);
}

/** pytest runs these without being told. */
const RUN_BY_TESTS = /(?:^|\/)conftest\.py$/;

/** Whether the file is of tests, examples, documents or CI, and no other code or install script names it. */
export function isIdleFile(build: ScannedBuild, path: string): boolean {
  if (!isAside(path) || RUN_BY_TESTS.test(path)) return false;
  const known = judgedFiles(build);
  if (!known.has(path)) known.set(path, known.size < MAX_JUDGED && isUnnamed(build, path));
  return known.get(path)!;
}

/** Files of a build that are looked for in all code; of more, none is idle. */
const MAX_JUDGED = 200;
const judgedFiles: (build: ScannedBuild) => Map<string, boolean> = once(() => new Map());

function isUnnamed(build: ScannedBuild, path: string): boolean {
  const parts = path.split('/');
  const base = parts.at(-1) ?? '';
  // A name that is an extension alone is searched for as a whole.
  const stem = base.replace(/(?<=.)\.[^.]{0,20}$/, '');
  const folder = parts.at(-2) ?? '';
  const isWhole = stem === 'index' || stem === '__init__' || stem === '__main__';
  const words = isWhole ? [folder] : [stem];
  if (folder === '' && words[0] === '') return true;
  return !build.files.some(
    (file) => file.path !== path && !isAside(file.path) && names(starterText(file), words, folder),
  );
}

function isAside(path: string): boolean {
  return isTestPath(path) || isDocumentPath(path) || isCiPath(path);
}

/** The text of a file that can start another one; `''` for others. */
function starterText({ path, text }: ScannedBuild['files'][number]): string {
  if (text === undefined) return '';
  if (/(?:^|\/)(?:package|stackyard)\.json$/.test(path)) {
    return stringEntries(readJsonObject(text)?.['scripts'])
      .filter(([name]) => isInstallScript(name))
      .map(([, script]) => script)
      .join('\n');
  }
  return fileKind(path) === 'code' ? text : '';
}

/** Whether a line of `text` holds the folder and one of the words: a path, an import, the parts of a path. */
function names(text: string, words: readonly string[], folder: string): boolean {
  if (!text.includes(folder)) return false;
  return words.some((word) => {
    for (let at = text.indexOf(word); at !== -1;) {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd === -1 ? text.length : lineEnd;
      const line = text.slice(text.lastIndexOf('\n', at) + 1, end);
      if (holdsWord(line, word) && (folder === '' || holdsWord(line, folder))) return true;
      at = text.indexOf(word, end);
    }
    return false;
  });
}

function holdsWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + word.length] ?? '')) return true;
  }
  return false;
}

/** Run when the project or the package is installed. */
const INSTALL: ReadonlySet<string> = new Set(
  wordsOf(['preinstall install postinstall prepare preprepare postprepare']),
);
/** Run on the publisher's machine only. */
const PUBLISH: ReadonlySet<string> = new Set(
  wordsOf([
    'prepublish prepublishOnly prepack postpack publish postpublish preversion version',
    'postversion dependencies',
  ]),
);

export function isInstallScript(name: string): boolean {
  return INSTALL.has(name);
}

/** Whether a package manager runs the script `name` automatically. */
export function isLifecycleScript(name: string): boolean {
  return INSTALL.has(name) || PUBLISH.has(name);
}
