/** Where the state of an index is, unless another file is given. */
import { basename, dirname, join, resolve } from 'node:path';

export function stateFile(out: string): string {
  const root = resolve(out);
  return join(dirname(root), `.${basename(root)}.state.sqlite`);
}
