/** Lines and commands that `new` puts into files of a foundation: no comparison counts them as an edit of the user. Pure. */
import { editText } from './left-out.ts';

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
