/** A folder for the front of the PATH with the `node` and the `python3` of one project. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute paths. */
export interface Runtimes {
  readonly node: string;
  readonly python: string | undefined;
}

/** A value for PATH. @param folder a folder that does not exist yet */
export function pathWith({ node, python }: Runtimes, folder: string, path: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(node, join(folder, 'node'));
  // Python finds its library by the place of its program: a link would hide it.
  if (python !== undefined) {
    const script = `#!/bin/sh\nexec '${python.replaceAll("'", `'\\''`)}' "$@"\n`;
    writeFileSync(join(folder, 'python3'), script, { mode: 0o755 });
  }
  return `${folder}${delimiter}${path}`;
}
