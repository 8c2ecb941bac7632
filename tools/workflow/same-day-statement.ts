/** The statement of an account about a version on a day: the form accepts one for each. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { Flag } from '../../format/statement/flag.ts';
import { Report } from '../../format/statement/report.ts';
import { MAX_STATEMENT_BYTES, parseStatementPath } from '../../format/statement/statement.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { entryAt } from '../../generator/gate/entry-at.ts';
import { gateGitText } from '../../generator/gate/gate-git.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';

/** Files that are read at once. */
const BATCH = 500;

/** The path of the statement that is there already at `commit`; `undefined` where there is none. */
export async function sameDayStatement(
  folder: string,
  commit: string,
  kind: StatementKind,
  { build, version, account, day }: Report | Flag,
): Promise<string | undefined> {
  const place = `${kind}/${build}/${version}`;
  const entry = await entryAt(folder, commit, place);
  if (entry?.mode !== '040000') return undefined;
  const names = await gateGitText(folder, ['ls-tree', '-z', '--name-only', entry.oid]);
  const paths = names
    .split('\0')
    .map((name) => `${place}/${name}`)
    .filter((path) => parseStatementPath(path) !== undefined);
  const reader = new ObjectReader(folder);
  try {
    for (let start = 0; start < paths.length; start += BATCH) {
      const batch = paths.slice(start, start + BATCH);
      const budget = { left: BATCH * MAX_STATEMENT_BYTES };
      const objects = await reader.readAll(
        batch.map((path) => `${commit}:${path}`),
        budget,
      );
      const found = objects.findIndex((object) => {
        const one = tryParse(kind, object?.bytes);
        return one?.account === account && one.day === day;
      });
      if (found >= 0) return batch[found];
    }
    return undefined;
  } finally {
    reader.close();
  }
}

function tryParse(kind: StatementKind, bytes: Uint8Array | undefined): Report | Flag | undefined {
  try {
    const schema = kind === 'reports' ? Report : Flag;
    return bytes === undefined ? undefined : parseDocument(schema, bytes, 'a statement');
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}
