/** Gives a new project the name of its folder, in the files of its foundation that have a name. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { hasIdentity, npmNameOf, pipNameOf, withIdentity } from '../plan/project-identity.ts';
import type { FileChange, MadePlan } from '../plan/plan.ts';

const FIRST_VERSION = '0.1.0';

/**
 * @param made the plan of the foundation
 * @param folder the name of the project's folder
 * @returns the plan with the changed files; the lock keeps the digests of what was shipped
 */
export function nameProject(made: MadePlan, folder: string): MadePlan {
  const changes = made.changes.map((change) => rename(change, folder));
  const digests = new Map(
    changes
      .filter((change, at) => change !== made.changes[at])
      .map(({ path, bytes }) => [path, integrityOf(bytes!)]),
  );
  const files = made.plan.files.map((file) => {
    const after = digests.get(file.path);
    if (after === undefined || file.after === undefined) return file;
    return { ...file, after, shipped: file.after };
  });
  return { ...made, changes, plan: { ...made.plan, files } };
}

function rename(change: FileChange, folder: string): FileChange {
  const { path, bytes } = change;
  if (bytes === undefined || !hasIdentity(path)) return change;
  const text = Buffer.from(bytes).toString('utf8');
  const name = path === PACKAGE_JSON ? npmNameOf(folder) : pipNameOf(folder, text);
  const version = { version: FIRST_VERSION, description: '' };
  const edited = withIdentity(path, text, name === undefined ? version : { ...version, name });
  return edited === text ? change : { ...change, bytes: Buffer.from(edited) };
}
