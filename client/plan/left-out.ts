/**
 * What a project leaves out of its foundation by deleting it: modules, and the example. The example is every folder `example`, and in other files the lines that end with a comment which is the word `example`:
 *
 *     import { exampleModule } from './features/example/module.js'; // example
 *     # Settings of the example.  # example
 *     - `GET /example` lists items <!-- example -->
 *
 * And the lines that `new` puts into files of the foundation, which no comparison counts as an edit of the user. Pure.
 */
import { folderOf, resolvePath } from './place/layout.ts';

const EXAMPLE_FOLDER = /(?:^|\/)example\//;
const EXAMPLE_LINE = /^.*(?:\/\/|#|<!--) example(?: -->)?[ \t]*\r?$\n?/gm;
const SOURCE_ENDING = /\.(?:[mc]?[jt]sx?|py)$/;
const IMPORT = /^import\s+(?:type\s+)?(.+?)\s+from\s+["'](\.[^"']*)["'].*$/gm;
const PYTHON_IMPORT = /^from\s+(\.*[\w.]+)\s+import\s+(.+)$/gm;

/** Whether a path within a build is of its example. */
function isOfExample(from: string): boolean {
  return EXAMPLE_FOLDER.test(from);
}

/**
 * The lines of a file that concern deleted modules, for merging: where the project has none of them, neither side of the merge has
 * them, so that a new version does not bring them back.
 */
export class DeletedModules {
  readonly #stems: ReadonlySet<string>;
  readonly #hasExample: boolean;

  /** @param paths of deleted files, in the project */
  constructor(paths: Iterable<string>) {
    const all = [...paths];
    this.#stems = new Set(
      all.filter((path) => SOURCE_ENDING.test(path)).map((path) => path.replace(SOURCE_ENDING, '')),
    );
    this.#hasExample = all.some(isOfExample);
  }

  /**
   * Both shipped texts of the file at `path` without the lines about deleted modules.
   * @param ours what the project has there; with one of the lines in it, nothing is taken out
   */
  strip(
    path: string,
    ours: Uint8Array | undefined,
    base: Uint8Array | undefined,
    theirs: Uint8Array,
  ): { readonly base: Uint8Array | undefined; readonly theirs: Uint8Array } {
    if (this.#stems.size === 0 && !this.#hasExample) return { base, theirs };
    const names = new Set([base, theirs].flatMap((bytes) => this.#namesIn(path, bytes)));
    const lines = linesWith(names);
    const isLeft = (text: string): boolean =>
      (this.#hasExample && text.search(EXAMPLE_LINE) >= 0) ||
      (lines !== undefined && text.search(lines) >= 0);
    if (ours !== undefined && isLeft(Buffer.from(ours).toString('utf8'))) return { base, theirs };
    const without = (bytes: Uint8Array): Uint8Array =>
      editText(bytes, (text) => {
        const rest = this.#hasExample ? text.replace(EXAMPLE_LINE, '') : text;
        return lines === undefined ? rest : rest.replace(lines, '');
      });
    return { base: base === undefined ? undefined : without(base), theirs: without(theirs) };
  }

  /** What the file at `path` imports from deleted modules. */
  #namesIn(path: string, bytes: Uint8Array | undefined): string[] {
    const text = Buffer.from(bytes ?? []).toString('utf8');
    const found = [...text.matchAll(IMPORT)]
      .filter(([, , from = '']) => this.#stems.has(stemFrom(path, from)))
      .map(([, names = '']) => names);
    const inPython = [...text.matchAll(PYTHON_IMPORT)]
      .filter(([, module = '']) => this.#isPythonModule(module))
      .map(([, , names]) => names ?? '');
    return [...found, ...inPython].flatMap(boundNames);
  }

  #isPythonModule(name: string): boolean {
    const path = name.replace(/^\.+/, '').replaceAll('.', '/');
    return [...this.#stems].some((stem) => stem === path || stem.endsWith(`/${path}`));
  }
}

/** The path without ending that a relative import in the file at `path` names. */
function stemFrom(path: string, name: string): string {
  return (resolvePath(folderOf(path), name) ?? '').replace(SOURCE_ENDING, '');
}

/** `a` and `c` of `{ a, b as c }`. */
function boundNames(clause: string): string[] {
  return clause
    .replaceAll(/[{}()*]|\btype\b|#.*/g, ' ')
    .split(',')
    .map((part) => part.trim().split(/\s+/).at(-1) ?? '')
    .filter((name) => /^[\w$]+$/.test(name));
}

/** Whole lines that mention one of `names`. */
function linesWith(names: ReadonlySet<string>): RegExp | undefined {
  if (names.size === 0) return undefined;
  const any = [...names].map((name) => name.replaceAll('$', String.raw`\$`)).join('|');
  return new RegExp(String.raw`^.*(?<![\w$])(?:${any})(?![\w$]).*\r?$\n?`, 'gm');
}

function editText(bytes: Uint8Array, edit: (text: string) => string): Uint8Array {
  if (bytes.includes(0)) return bytes;
  const text = Buffer.from(bytes).toString('utf8');
  const edited = edit(text);
  return edited === text ? bytes : Buffer.from(edited);
}

/** The folder of a front end. */
export const WEB = 'web';

const POSTGRES = `    services:
      postgres:
        image: postgres:17
        env: { POSTGRES_PASSWORD: postgres }
        ports: ['5432:5432']
        options: --health-cmd pg_isready --health-interval 5s --health-retries 12
    env:
      DATABASE_URL: postgres://postgres:postgres@localhost:5432/postgres
`;
const BROWSER = `      # The Chrome of the runner.
      - run: node --run test:browser
`;
/** Behind a line of a foundation's file: lines for a front end in `web/`, for its tests in a browser, and for PostgreSQL. */
const PUT_IN = [
  ['web', 'Dockerfile', /^COPY package\.json .*\n/m, `COPY ${WEB}/package.json ./${WEB}/\n`],
  ['web', 'Dockerfile', /^COPY src \.\/src\n/m, `COPY ${WEB} ./${WEB}\n`],
  ['web', '.dockerignore', /^!src\n/m, `!${WEB}\n${WEB}/node_modules\n${WEB}/dist\n`],
  ['browser', '.github/workflows/ci.yml', /^ {6}- run: \w+ run build\n/m, BROWSER],
  ['postgres', '.github/workflows/ci.yml', /^ {4}timeout-minutes: .*\n(?= {4}steps:\n)/m, POSTGRES],
] as const;

/** The text of the file at `path` with the lines for `what`. */
export function putIn(what: (typeof PUT_IN)[number][0], path: string, text: string): string {
  const lines = PUT_IN.filter(([why, of]) => why === what && of === path);
  return lines.reduce((made, [, , behind, more]) => made.replace(behind, `$&${more}`), text);
}

/** Files of foundations that install packages and run scripts by npm, or say how. */
const OF_NPM = /(?:^|\/)(?:Dockerfile|\.dockerignore|AGENTS\.md|\.github\/workflows\/[\w-]+\.yml)$/;
/** The lock, in .dockerignore and after COPY with settings, and what runs programs of packages. Yarn 1 is where Node.js is. */
const MANAGERS = {
  pnpm: ['pnpm-lock.yaml', '\n!pnpm-workspace.yaml', ' pnpm-workspace.yaml*', 'pnpm exec'],
  yarn: ['yarn.lock', '', '', 'yarn exec'],
  bun: ['bun.lock', '', '', 'bunx'],
} as const;
type Manager = keyof typeof MANAGERS;

/** What these files say of npm, and what of `name` in its place. No two are the same, so that they can be reverted. */
function textsOf(name: Manager, get: string): [npm: string, own: string][] {
  const [lock, alsoThere, alsoCopied, exec] = MANAGERS[name];
  const exact = `${name} install --ignore-scripts --frozen-lockfile`;
  const omit = '--omit=dev --ignore-scripts --no-audit --no-fund';
  return [
    ['npm install', `${name} install`],
    ['npm test', `${name} run test`],
    ['npm run', `${name} run`],
    ['`npm start`', `\`${name} run start\``],
    ['npx', exec],
    ['!package-lock.json', `!${lock}${alsoThere}`],
    ['package-lock.json ./', `${lock}${alsoCopied} ./`],
    ['package-lock.json', lock],
    ['cache: npm', 'package-manager-cache: false'],
    [`npm prune ${omit}`, `rm -rf node_modules && ${exact} --production`],
    ['npm ci --ignore-scripts --no-audit --no-fund', `${get}${exact}`],
    ['npm ci --ignore-scripts', `${get}${name} install --frozen-lockfile --ignore-scripts`],
  ];
}

/** The text of the file at `path` with the commands of `name` in place of npm's. @param major version, where it is known */
export function forManager(name: string, major: string, path: string, text: string): string {
  if (!OF_NPM.test(path) || !Object.hasOwn(MANAGERS, name)) return text;
  const get = name === 'yarn' ? '' : `npm install --global ${name}${major && `@${major}`} && `;
  const made = replaced(text, textsOf(name as Manager, get));
  return forNpm(made) === text ? made : text;
}

function forNpm(text: string): string {
  const names = Object.keys(MANAGERS) as Manager[];
  const plain = text.replaceAll(/npm install --global (?:pnpm|bun)(?:@\d+)? && /g, '');
  const back = names.flatMap((name) => textsOf(name, '').map(([npm, own]) => [own, npm] as const));
  return replaced(plain, back);
}

function replaced(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const known = new Map(pairs);
  const longest = [...known.keys()].sort((a, b) => b.length - a.length);
  const any = longest.map((one) => one.replaceAll(/[.*`]/g, String.raw`\$&`)).join('|');
  const words = new RegExp(String.raw`(?<![\w-])(?:${any})(?![\w-]|:\w)`, 'g');
  return text.replaceAll(words, (found) => known.get(found)!);
}

/** `bytes` of the file at `path` without these lines and texts; the same object where it has none. */
export function withoutPutIn(path: string, bytes: Uint8Array): Uint8Array {
  const lines = PUT_IN.flatMap(([, of, , more]) => (of === path ? [more] : []));
  const isOfNpm = OF_NPM.test(path);
  if (lines.length === 0 && !isOfNpm) return bytes;
  return editText(bytes, (text) => {
    const rest = lines.reduce((made, more) => made.replace(more, ''), text);
    return isOfNpm ? forNpm(rest) : rest;
  });
}
