/** Plans the edits that builds make in Python manifests: pyproject.toml, otherwise requirements files. Pure. */
import { readRequirements } from '../../format/project/requirement.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { readText } from '../edit/project-file.ts';
import { editPyproject } from '../edit/python/pyproject.ts';
import { editRequirements } from '../edit/python/requirements.ts';
import { formatCreatedEntry, createdEntriesOf } from './created-entries.ts';
import { devOf } from './lock.ts';
import { pythonSteps } from './manual-steps.ts';
import { earlierPip } from './previous-edits.ts';
import type { PipEntry } from './planned-entries.ts';
import type { EditInput, EditState } from './planned-edits.ts';

/** @throws {ClientError} `ERR_DEPENDENCY`, `ERR_PROJECT_FILE` */
export function planPython(
  { builds, project, keep, byHand }: EditInput,
  edited: EditState,
): readonly PipEntry[] {
  const { files, warnings, created, earlier } = edited;
  const wishes = builds.flatMap(({ id, manifest }) =>
    (['dependencies', 'devDependencies'] as const).flatMap((table) =>
      Object.entries(manifest[table]?.pip ?? {}).map(([name, specifier]) => ({
        name,
        specifier,
        table,
        build: id,
      })),
    ),
  );
  if (wishes.length === 0) return [];
  const kept = new Set([...keep].map(normalizePipName));
  const pyproject = readText(project, PYPROJECT);
  const before = earlierPip(earlier, PYPROJECT);
  const edit =
    pyproject === undefined
      ? undefined
      : editPyproject(
          pyproject,
          wishes,
          before,
          createdEntriesOf(earlier.created, PYPROJECT),
          kept,
        );
  if (edit !== undefined) {
    if (edit.text !== pyproject) files.set(PYPROJECT, edit.text);
    warnings.push(...edit.warnings.map((w) => ({ ...w, path: PYPROJECT })));
    for (const name of edit.decided) edited.decided.add(name);
    created.push(...edit.created.map((mark) => formatCreatedEntry(PYPROJECT, mark)));
    return share(
      edit.pip.map((p) => ({ ...p, file: PYPROJECT })),
      edited,
    );
  }
  if (byHand.pip !== undefined) {
    edited.byHand.push(...pythonSteps(byHand.pip, wishes));
    return [];
  }
  const earlierRuntime = earlierPip(earlier, REQUIREMENTS);
  const present = readRequirements(readText(project, REQUIREMENTS) ?? '');
  const runtimeNames = new Set([
    ...wishes
      .filter((wish) => wish.table === 'dependencies')
      .map(({ name }) => normalizePipName(name)),
    ...[...present.keys()].filter((key) => !earlierRuntime.own.has(key)),
  ]);
  const entries = (['dependencies', 'devDependencies'] as const).flatMap((table) => {
    // A distribution that is needed at run time is not added again for development.
    const wanted = wishes.filter(({ name }) => {
      return runtimeNames.has(normalizePipName(name)) === (table === 'dependencies');
    });
    if (wanted.length === 0) return [];
    const file = table === 'dependencies' ? REQUIREMENTS : DEV_REQUIREMENTS;
    const old = readText(project, file);
    const after = editRequirements(old, wanted, file, earlierPip(earlier, file), kept);
    if (after.text !== undefined && after.text !== old) files.set(file, after.text);
    if (after.text !== undefined && old === undefined) created.push(file);
    warnings.push(...after.warnings.map((w) => ({ ...w, path: file })));
    for (const name of after.decided) edited.decided.add(name);
    return after.pip.map((p) => ({ ...p, table, file }));
  });
  return share(entries, edited);
}

/** A line that changes for one build changes for all builds that share it; all of them then own it. */
function share(
  entries: readonly PipEntry[],
  { earlier, relocked }: EditState,
): readonly PipEntry[] {
  for (const { name, specifier, table, file, action } of entries) {
    const key = normalizePipName(name);
    if (action === 'kept' || !earlierPip(earlier, file).own.has(key)) continue;
    for (const [id, build] of earlier.others) {
      const { pip } = relocked.get(id) ?? build;
      const theirs = Object.keys(pip).find((other) => normalizePipName(other) === key);
      if (theirs === undefined || pip[theirs]?.file !== file) continue;
      const { wanted = pip[theirs].specifier, table: before, dev } = pip[theirs];
      const isDev = dev === true || before === 'devDependencies';
      const now = { file, table, specifier, action: 'added' as const, ...devOf(table, isDev) };
      const entry = wanted === specifier ? now : { ...now, wanted };
      relocked.set(id, { ...(relocked.get(id) ?? build), pip: { ...pip, [theirs]: entry } });
    }
  }
  return entries;
}
