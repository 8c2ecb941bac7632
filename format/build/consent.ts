/**
 * Which files of a project a build writes only with the user's consent, and what they can do there. A build writes source
 * files of known kinds in folders of the project without a question. All else has a class: a file that some program runs or
 * reads as settings by itself, that can be started, or of which nobody knows what reads it. Used alike by the gate, plans,
 * wired steps, `--to` and `import`. Pure; paths and texts come from publishers and are untrusted.
 *
 *     src/account/router.ts: none        .github/workflows/ci.yml: ci        src/account/package.json: packages
 */
import { CLASS_NAMES, CONSENT_CLASSES, SOURCE_KINDS, TEXT_NAMES } from './consent-classes.ts';
import type { ConsentClass, FileClass } from './consent-classes.ts';
import { collisionKey, isFilePath } from './file-path.ts';

/** A file as it would be in the project. */
interface ConsentFile {
  /** Relative to the project, valid by the path rules: where it ends up, not where the build has it. */
  readonly path: string;
  /** Mode 755. */
  readonly executable?: boolean | undefined;
  /** Its text, or that which is added to it; only lists in `.txt` are looked at. */
  readonly text?: string | Uint8Array | undefined;
}

/** What `--allow` takes for whatever a plan lists. */
export const ALLOW_ALL = 'all';

/** Whether `--allow` takes `word`: a class, all, or a path, known by its slash or dot: other words are slips of a class. */
export function isAllowable(word: string): boolean {
  return word === ALLOW_ALL || isConsentClass(word) || (isFilePath(word) && /[./]/.test(word));
}

export function isConsentClass(text: string): text is ConsentClass {
  return Object.hasOwn(CONSENT_CLASSES, text);
}

/** Scripts of package.json that package managers run by themselves. */
const LIFECYCLE =
  /^(?:(?:pre|post)?(?:install|publish|pack|version)|(?:pre|post)?prepare|prepublishOnly|prepublish|dependencies|(?:pre|post)?uninstall)$/;

export function isLifecycleScript(name: string): boolean {
  return LIFECYCLE.test(name);
}

/** The class of a file that needs consent; `undefined` for a source file of a known kind in a folder. */
export function consentClass({ path, executable, text }: ConsentFile): FileClass | undefined {
  const key = collisionKey(path);
  const known = namedClass(key);
  if (known !== undefined) return known;
  if (executable === true) return 'program';
  if (key.split('/').some((part) => part.startsWith('.'))) return 'hidden';
  if (!isSourceKind(key)) return 'unknown';
  if (key.endsWith('.txt') && text !== undefined && hasPipOptions(text)) return 'packages';
  return key.includes('/') ? undefined : 'root';
}

/** Whether coding agents load the file at `path` as instructions or settings. */
export function isAgentFile(path: string): boolean {
  return namedClass(collisionKey(path)) === 'agent';
}

/** Whether the project's file at `path` is a source file of a known kind, wherever it is. */
export function isSourceKind(path: string): boolean {
  const name = collisionKey(path).split('/').at(-1) ?? '';
  if (TEXTS.has(name)) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && KINDS.has(name.slice(dot + 1));
}

const KINDS: ReadonlySet<string> = new Set(Object.values(SOURCE_KINDS).flatMap(wordsOf));
const TEXTS: ReadonlySet<string> = new Set(wordsOf(TEXT_NAMES));
const NAMED = CLASS_NAMES.map(({ class: name, names = '', folders = '', paths = [] }) => {
  return { name, names: new Set(wordsOf(names)), folders: new Set(wordsOf(folders)), paths };
});

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function namedClass(key: string): FileClass | undefined {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  return NAMED.find(
    (one) =>
      one.names.has(name) ||
      parts.some((part) => one.folders.has(part)) ||
      one.paths.some((pattern) => pattern.test(key)),
  )?.name;
}

/** Options of pip in a list of requirements, and requirements that name an address. */
const PIP_LINE =
  /^[ \t]*(?:-[rceif][ \t=]*\S|--(?:index-url|extra-index-url|find-links|requirement|constraint|editable|trusted-host|no-index|pre|prefer-binary|require-hashes|use-feature|config-settings?|global-option|no-binary|only-binary|hash)\b|[\w.[\],-]+[ \t]*@[ \t]*[a-z+]+:|(?:git|hg|svn|bzr)\+\w+:|(?:https?|file):\S+\.(?:whl|zip|tar\.\w+|tgz)\b)/im;

function hasPipOptions(text: string | Uint8Array): boolean {
  return PIP_LINE.test(typeof text === 'string' ? text : Buffer.from(text).toString('latin1'));
}
