/** Plans the edits that builds make in a project's package.json. Pure. */
import { ClientError } from '../errors.ts';
import { NEW_PACKAGE_JSON, PACKAGE_JSON } from '../edit/edited-files.ts';
import type { NpmAddition } from '../edit/json/npm-dependencies.ts';
import { editPackageJson } from '../edit/json/package-json.ts';
import { quote, readText } from '../edit/project-file.ts';
import { denoSteps } from './manual-steps.ts';
import { formatCreatedEntry, createdEntriesOf } from './created-entries.ts';
import { devOf } from './lock.ts';
import { earlierNpm, earlierScripts } from './previous-edits.ts';
import type { LockedEdits } from './previous-edits.ts';
import type { FetchedBuild, Warning } from './plan.ts';
import type { NpmEntry, ScriptEntry, Table } from './planned-entries.ts';
import type { EditInput, EditState } from './planned-edits.ts';

/** @throws {ClientError} `ERR_DEPENDENCY`, `ERR_PROJECT_FILE` */
export function planPackageJson(
  { builds, project, links, keep, byHand }: EditInput,
  edited: EditState,
): { npm: readonly NpmEntry[]; scripts: readonly ScriptEntry[] } {
  const npm = builds.flatMap((build) => npmWishes(build));
  const scripts = builds.flatMap(({ id, manifest }) =>
    Object.entries(manifest.scripts ?? {}).map(([name, value]) => ({ name, value, build: id })),
  );
  if (npm.length === 0 && scripts.length === 0) return { npm: [], scripts: [] };
  const { files, warnings, created, relocked, earlier } = edited;
  const present = readText(project, PACKAGE_JSON);
  if (links.has(PACKAGE_JSON)) {
    throw new ClientError('ERR_PATH_POLICY', `Cannot write "${PACKAGE_JSON}": it is a symlink`, {
      hint: 'the client writes regular files in real folders of the project only',
    });
  }
  if (present === undefined && (npm.length === 0 || byHand.npm !== undefined)) {
    edited.byHand.push(...denoSteps(npm));
    if (scripts.length > 0) warnings.push(leftOut(scripts));
    return { npm: [], scripts: [] };
  }
  const text = present ?? NEW_PACKAGE_JSON;
  const before = {
    npm: earlierNpm(earlier),
    scripts: earlierScripts(earlier),
    created: createdEntriesOf(earlier.created, PACKAGE_JSON),
  };
  const edit = editPackageJson(text, { npm, scripts }, before, keep);
  if (edit.text !== present) files.set(PACKAGE_JSON, edit.text);
  if (present === undefined) created.push(PACKAGE_JSON);
  warnings.push(...edit.warnings.map((w) => ({ ...w, path: PACKAGE_JSON })));
  for (const name of edit.decided) edited.decided.add(name);
  created.push(...edit.created.map((mark) => formatCreatedEntry(PACKAGE_JSON, mark)));
  shareNpm(edit.replaced, earlier.others, relocked);
  return edit;
}

/** Scripts alone are no reason to make a package.json. */
function leftOut(scripts: readonly { readonly name: string; readonly build: string }[]): Warning {
  const listed = scripts.map(({ name, build }) => `${quote(name)} of ${quote(build)}`).join(', ');
  const message = `The project has no ${PACKAGE_JSON}: left out ${listed}`;
  return { code: 'scripts-left-out', message, path: '' };
}

function npmWishes({
  id,
  manifest,
}: FetchedBuild): { name: string; range: string; table: Table; build: string }[] {
  return (['dependencies', 'devDependencies'] as const).flatMap((table) =>
    Object.entries(manifest[table]?.npm ?? {}).map(([name, range]) => ({
      name,
      range,
      table,
      build: id,
    })),
  );
}

/** A package that changes for one build changes for all builds that share it; all of them then own it. */
function shareNpm(
  replaced: readonly NpmAddition[],
  others: ReadonlyMap<string, LockedEdits>,
  relocked: Map<string, LockedEdits>,
): void {
  for (const { name, range, table } of replaced) {
    for (const [id, build] of others) {
      const { npm } = relocked.get(id) ?? build;
      if (!Object.hasOwn(npm, name)) continue;
      const { wanted = npm[name]!.range, table: before, dev } = npm[name]!;
      const isDev = dev === true || before === 'devDependencies';
      const now = { table, range, action: 'added' as const, ...devOf(table, isDev) };
      const entry = wanted === range ? now : { ...now, wanted };
      relocked.set(id, { ...(relocked.get(id) ?? build), npm: { ...npm, [name]: entry } });
    }
  }
}
