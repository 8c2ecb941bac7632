/**
 * How an application of FastAPI is started: by the server uvicorn, at a port of ours, with the module that settings and files of
 * the project name. It reads files only.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tableAt } from '../../format/project/pyproject.ts';
import { PYPROJECT } from '../edit/edited-files.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { openProjectCode } from '../project/project-code.ts';
import { readPythonRoots } from '../project/python-roots.ts';
import { findPythonManager } from '../project/package-managers.ts';
import { readNames, readText } from '../project/read-file.ts';

/** Files that show how people start the project, in the order in which they are trusted. */
const SHOWN =
  /^(?:pyproject\.toml|Procfile|(?:.*[.-])?Dockerfile(?:\..*)?|(?:docker-)?compose\.ya?ml|Makefile|justfile)$/;
/** `uvicorn app.main:app`, also between quotes as in the CMD of a Dockerfile; `0.0.0.0:80` is none. */
const SERVED =
  /\b(?:uvicorn|gunicorn|hypercorn)\b([^\n;&|]*?)\s([A-Za-z_][\w.]*:[A-Za-z_]\w*)([^\n;&|]*)/g;
/** `fastapi run app/main.py` */
const RUN = /\bfastapi +(?:run|dev)((?: +--?[\w-]+(?:[ =][\w.:]+)?)*)(?: +([\w./-]+\.py))?/g;
/** In code: `uvicorn.run("app.main:app")` */
const CALLED = /\buvicorn\.run\(\s*["']([A-Za-z_][\w.]*:[A-Za-z_]\w*)["'](.*)/g;
/** Where `fastapi run` looks for an application, in its order. */
const DEFAULTS = ['main.py', 'app.py', 'api.py', 'app/main.py', 'app/app.py', 'app/api.py'];
const FACTORY = /^def (\w*(?:app|application|api))\(\s*\)\s*(?:->\s*[\w.]+\s*)?:/m;
/** An application, one that a function makes, and such a function. */
const MADE = [
  /^(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*(?:fastapi\.)?FastAPI\(/m,
  /^(app|application|api)(?:\s*:\s*[\w.]+)?\s*=\s*\w*(?:app|application|api)\w*\(/m,
  FACTORY,
];

/** Where an application is: `--app-dir src --factory app.main:create_app`, in these parts. */
interface Target {
  readonly root: string;
  readonly name: string;
  readonly isFactory?: boolean;
}

/** The command that starts the application, for a shell in the project. @param python of its environment */
export function pythonStart(project: string, python: string | undefined): string | undefined {
  const program = python ?? otherPython(project);
  if (program === undefined) return undefined;
  const code = openProjectCode(project);
  const sources = code.paths().filter((path) => path.endsWith('.py'));
  if (sources.length === 0) return undefined;
  const target = settledTarget(project, sources) ?? foundTarget(project, sources, code.read);
  if (target === undefined) return undefined;
  const { root, name, isFactory } = target;
  const options = [root === '' ? '' : ` --app-dir ${root}`, isFactory === true ? ' --factory' : ''];
  const port = process.platform === 'win32' ? '%PORT%' : '$PORT';
  return `${program} -m uvicorn${options.join('')} ${name} --host 127.0.0.1 --port ${port}`;
}

/** The Python of an environment that is not in the project. */
function otherPython(project: string): string | undefined {
  const [pdm = ''] = readText(join(project, '.pdm-python')).split('\n');
  if (/^[\w./-]+$/.test(pdm) && existsSync(pdm)) return pdm;
  if (process.env['VIRTUAL_ENV'] !== undefined || process.env['CONDA_PREFIX'] !== undefined)
    return 'python';
  return findPythonManager(project) === 'poetry' ? 'poetry run python' : undefined;
}

/** What the settings, or the commands that people use, name. */
function settledTarget(project: string, sources: readonly string[]): Target | undefined {
  const settings = readText(join(project, PYPROJECT));
  let entry: unknown;
  try {
    entry = tableAt(parseToml(settings), ['tool', 'fastapi'])?.['entrypoint'];
  } catch {
    // Who edits it reports that.
  }
  const named = typeof entry === 'string' && /^[\w.]+:\w+$/.test(entry) ? entry : undefined;
  const own = named === undefined ? undefined : targetOf(project, sources, named);
  if (own !== undefined) return own;
  const names = readNames(project).filter((name) => SHOWN.test(name));
  // Settings come first, then what starts the project where it is deployed.
  for (const name of [PYPROJECT, ...names.filter((one) => one !== PYPROJECT)]) {
    const text = readText(join(project, name))
      .replaceAll(/["'`,[\]]/g, ' ')
      .replaceAll(/ +/g, ' ');
    for (const [, before = '', served = '', after = ''] of text.matchAll(SERVED)) {
      const isFactory = / --factory\b/.test(`${before} ${after}`);
      const [, root] = / --app-dir[ =]([\w./-]+)/.exec(`${before} ${after}`) ?? [];
      const found = targetOf(project, sources, served, isFactory, root);
      if (found !== undefined) return found;
    }
    for (const [, , file] of text.matchAll(RUN)) {
      const paths = file === undefined ? DEFAULTS : [file.replace(/^\.?\//, '')];
      const path = paths.find((one) => sources.includes(one));
      const found = path === undefined ? undefined : targetIn(project, path);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** What the code itself starts, or makes. */
function foundTarget(
  project: string,
  sources: readonly string[],
  read: (path: string) => string | undefined,
): Target | undefined {
  for (const path of sources) {
    for (const [, name = '', rest = ''] of (read(path) ?? '').matchAll(CALLED)) {
      const found = targetOf(project, sources, name, /\bfactory\s*=\s*True\b/.test(rest));
      if (found !== undefined) return found;
    }
  }
  if (!sources.some((path) => /\bFastAPI\(/.test(read(path) ?? ''))) return undefined;
  // Files with the names that "fastapi run" knows, then those nearest to the root.
  const order = (path: string): number =>
    (/(?:^|\/)(?:main|app|api|asgi|server|application)\.py$/.test(path) ? 0 : 100) +
    path.split('/').length;
  const sorted = [...sources].sort((a, b) => order(a) - order(b));
  for (const pattern of MADE) {
    const path = sorted.find((one) => pattern.test(read(one) ?? ''));
    if (path !== undefined) return targetIn(project, path);
  }
  return undefined;
}

/** @param served such as `app.main:app` @param given the folder in which the module is, where it is known */
function targetOf(
  project: string,
  sources: readonly string[],
  served: string,
  isFactory = false,
  given?: string,
): Target | undefined {
  const [module = ''] = served.split(':');
  const file = module.replaceAll('.', '/');
  const roots =
    given === undefined
      ? ['', ...readPythonRoots(project), ...new Set(sources.map((path) => path.split('/', 1)[0]!))]
      : [given.replace(/^(?:\.\/)+|\/$|^\.$/g, '')];
  const root = roots.find((one) =>
    [`${file}.py`, `${file}/__init__.py`].some((path) =>
      sources.includes(one === '' ? path : `${one}/${path}`),
    ),
  );
  return root === undefined || !isPlain(root) ? undefined : { root, name: served, isFactory };
}

/** The application that the file at `path` makes. */
function targetIn(project: string, path: string): Target | undefined {
  const text = readText(join(project, path));
  const pattern = MADE.find((one) => one.test(text));
  if (pattern === undefined || !isPlain(path)) return undefined;
  const folders = path.split('/').slice(0, -1);
  const root = importRoot(project, folders, text);
  const module = path.slice(root === '' ? 0 : root.length + 1, -'.py'.length).replaceAll('/', '.');
  const name = `${module.replace(/\.__init__$/, '')}:${pattern.exec(text)![1]}`;
  return { root, name, isFactory: pattern === FACTORY };
}

/** The folder from which a file in `folders` imports: the first one that has what it names, otherwise by its packages. */
function importRoot(project: string, folders: readonly string[], text: string): string {
  const names = Array.from(
    text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm),
    ([, name]) => name!,
  );
  const above = folders.map((_, at) => folders.slice(0, at).join('/'));
  const has = (folder: string, name: string): boolean =>
    ['', '.py'].some((end) => existsSync(join(project, folder, `${name}${end}`)));
  const named = [...above, folders.join('/')].find((folder) => names.some((n) => has(folder, n)));
  if (named !== undefined) return named;
  const inPackage = (depth: number): boolean =>
    existsSync(join(project, ...folders.slice(0, depth), '__init__.py'));
  let depth = folders.length;
  while (depth > 0 && inPackage(depth)) depth -= 1;
  if (depth < folders.length) return folders.slice(0, depth).join('/');
  return readPythonRoots(project).find((root) => folders.join('/').startsWith(root)) ?? '';
}

/** For a shell. */
function isPlain(path: string): boolean {
  return /^[\w./-]*$/.test(path) && !path.startsWith('-');
}
