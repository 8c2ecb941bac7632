/**
 * The registry that served this client, and how the user started it, for a call such as `npx --yes <address>/client/stackyard.tgz`. The runners npm,
 * pnpm and bun unpack it below a folder whose `package.json` names the address; an `npm install` of the address records
 * it there, too. A global install by npm keeps no address: then that of the registry counts which the package itself names.
 */
import { dirname, join, sep } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { realPath } from './find-program.ts';
import { readJson } from './read-file.ts';

const NAME = 'stackyard';
const TABLES = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** `<address>/client/stackyard.tgz` or `<address>/client/stackyard-<version>.tgz`, with a digest or none. */
const CLIENT_ADDRESS = /^(?<base>https?:\/\/[^?#]+?)\/client\/stackyard(?:-[^/?#]+)?\.tgz(?:#.*)?$/;

/**
 * The address of that registry, not checked any further; `undefined` for a client that came in another way.
 * @param program the file that Node.js was started with
 */
export function servedRegistry(program: string = process.argv[1] ?? ''): string | undefined {
  return findServed(program)?.base ?? namedRegistry(program);
}

/** The address in the package of the program, where a registry has packed it. */
function namedRegistry(program: string): string | undefined {
  const manifest = readJson(join(dirname(realPath(program)), '../package.json'));
  const address = field(field(manifest, NAME), 'registry');
  if (field(manifest, 'name') !== NAME || typeof address !== 'string') return undefined;
  return /^https?:\/\/[^?#\s]+$/.test(address) ? address : undefined;
}

/** Programs that fetch a package and run it, by what is in the path of the folder that they make for it. */
const RUNNERS: readonly (readonly [RegExp, (address: string) => string])[] = [
  [/[\\/]_npx[\\/][^\\/]+$/, (address) => `npx --yes ${address}`],
  [/[\\/]dlx(?:[\\/-]|$)/, (address) => `pnpm dlx ${address}`],
  [/[\\/]\.?bunx-[^\\/]+(?:[\\/][^\\/]+)?$/, (address) => `bunx --package ${address} stackyard`],
];

/** How the user starts this client: `stackyard`, or the call of a runner that fetched it from a registry. */
export function ownCommand(program: string = process.argv[1] ?? ''): string {
  const served = findServed(program);
  const runner = served && RUNNERS.find(([folder]) => folder.test(served.folder));
  // What a shell reads in another way is no address that a runner was called with.
  if (runner === undefined || !/^[\w.:/@%+~-]+$/.test(served!.address)) return NAME;
  return runner[1](served!.address);
}

interface Served {
  /** The address of the registry. */
  readonly base: string;
  /** The address of the client there. */
  readonly address: string;
  /** The folder that has it in `node_modules`. */
  readonly folder: string;
}

function findServed(program: string): Served | undefined {
  // The name of the program may be a link into a store, which has no trace of the address.
  for (const path of new Set([program, realPath(program)])) {
    const folders = foldersWithModules(path);
    for (const folder of folders) {
      const address = addressIn(folder);
      const base = CLIENT_ADDRESS.exec(address ?? '')?.groups?.['base'];
      if (address !== undefined && base !== undefined) return { base, address, folder };
    }
  }
  return undefined;
}

/** The folders in whose `node_modules` the file is, the nearest first. */
function foldersWithModules(path: string): string[] {
  const mark = `${sep}node_modules${sep}`;
  const folders: string[] = [];
  for (let at = path.lastIndexOf(mark); at > 0; at = path.lastIndexOf(mark, at - 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

/** The address of a client in `node_modules` of the folder. */
function addressIn(folder: string): string | undefined {
  const manifest = readJson(join(folder, 'package.json'));
  const listed = field(readJson(join(folder, 'node_modules/.package-lock.json')), 'packages');
  const addresses = [
    ...TABLES.map((table) => field(field(manifest, table), NAME)),
    field(field(listed, `node_modules/${NAME}`), 'resolved'),
  ];
  return addresses.find((address): address is string => {
    return typeof address === 'string' && CLIENT_ADDRESS.test(address);
  });
}
