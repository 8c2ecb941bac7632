/**
 * The registry that served this client, for a call such as `npx --yes <address>/client/stackyard.tgz`. The runners npm,
 * pnpm and bun unpack it below a folder whose `package.json` names the address; an `npm install` of the address records
 * it there, too, and a global one in npm's own list of what is in `node_modules`.
 */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { field, readJson } from '../project/read-file.ts';

const NAME = 'stackyard';
const TABLES = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** `<address>/client/stackyard.tgz` or `<address>/client/stackyard-<version>.tgz`, with a digest or none. */
const CLIENT_ADDRESS = /^(?<base>https?:\/\/[^?#]+?)\/client\/stackyard(?:-[^/?#]+)?\.tgz(?:#.*)?$/;

/**
 * The address of that registry, not checked any further; `undefined` for a client that came in another way.
 * @param program the file that Node.js was started with
 */
export function servedRegistry(program: string = process.argv[1] ?? ''): string | undefined {
  // The name of the program may be a link into a store, which has no trace of the address.
  for (const path of new Set([program, realPath(program)])) {
    const folders = foldersWithModules(path);
    for (const folder of folders) {
      const found = registryIn(folder);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
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

function registryIn(folder: string): string | undefined {
  const manifest = readJson(join(folder, 'package.json'));
  const listed = field(readJson(join(folder, 'node_modules/.package-lock.json')), 'packages');
  const addresses = [
    ...TABLES.map((table) => field(field(manifest, table), NAME)),
    field(field(listed, `node_modules/${NAME}`), 'resolved'),
  ];
  for (const address of addresses) {
    const base = typeof address === 'string' ? CLIENT_ADDRESS.exec(address)?.groups?.['base'] : '';
    if (base) return base;
  }
  return undefined;
}
