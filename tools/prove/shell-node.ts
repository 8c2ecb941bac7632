/** The `node` of a user's shell: the client does not judge projects by one in the `node_modules` of this repository. */
import { mkdtempSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A value for PATH that has this `node` first.
 * @param parent an existing folder for the link
 * @param program absolute path of a Node.js
 */
export function pathWithNode(program: string, parent: string): string {
  const folder = mkdtempSync(join(parent, 'stackyard-shell-'));
  symlinkSync(program, join(folder, 'node'));
  return `${folder}${delimiter}${process.env['PATH']}`;
}
