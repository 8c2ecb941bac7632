/** Lines and commands that `new` puts into files of a foundation: no comparison counts them as an edit of the user. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import { removeProperty, replaceString } from '../edit/json/json-insertion.ts';
import { editText } from './left-out.ts';

/** The folder of a front end. */
export const WEB = 'web';
/** What starts both. */
export const DEV_COMMAND = 'node dev.mjs';

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

/** The end of a script of the root that goes on with that of the front end. */
const ON_TO_WEB = new RegExp(`(?:^| && )cd ${WEB} && node --run [\\w:]+(?: -- .*)?$`);
/** At the end of .env.example. */
export const COMPOSE_VARIABLE = `
# compose.yaml
# Password of its database, of letters and digits. Make one with: openssl rand -hex 32
POSTGRES_PASSWORD=
`;

/** A package.json without the package manager and the front end that `new` puts in; as it is where it cannot be parsed. */
function withoutSettings(text: string): string {
  const made = tryParse(text) as { scripts?: Record<string, string>; [key: string]: unknown };
  let rest = text;
  const { dev, 'dev:api': api, ...scripts } = made?.scripts ?? {};
  if (dev === DEV_COMMAND && api !== undefined) {
    rest = removeProperty(
      replaceString(rest, ['scripts'], 'dev', api),
      ['scripts'],
      'dev:api',
      false,
    );
  }
  for (const [name, value] of Object.entries(scripts)) {
    const own = String(value).replace(ON_TO_WEB, '');
    if (own === value) continue;
    rest =
      own === ''
        ? removeProperty(rest, ['scripts'], name, false)
        : replaceString(rest, ['scripts'], name, own);
  }
  const { workspaces, devEngines } = made ?? {};
  if (isDeepStrictEqual(workspaces, [WEB])) rest = removeProperty(rest, [], 'workspaces', false);
  const { packageManager, ...others } = (devEngines ?? {}) as {
    packageManager?: { name?: string };
  };
  const isManager = packageManager?.name !== undefined && packageManager.name in MANAGERS;
  if (isManager && Object.keys(others).length === 0)
    rest = removeProperty(rest, [], 'devEngines', false);
  return rest;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `bytes` of the file at `path` without these lines and texts; the same object where it has none. */
export function withoutPutIn(path: string, bytes: Uint8Array): Uint8Array {
  if (path === PACKAGE_JSON) return editText(bytes, withoutSettings);
  if (path === ENV_EXAMPLE) return editText(bytes, (text) => text.replace(COMPOSE_VARIABLE, ''));
  const lines = PUT_IN.flatMap(([, of, , more]) => (of === path ? [more] : []));
  const isOfNpm = OF_NPM.test(path);
  if (lines.length === 0 && !isOfNpm) return bytes;
  return editText(bytes, (text) => {
    const rest = lines.reduce((made, more) => made.replace(more, ''), text);
    return isOfNpm ? forNpm(rest) : rest;
  });
}
