/** Takes wired text out of a project: what is as it was put in; the rest stays and is named. Pure. */
import type { LockedWiring } from '../../format/project/lock.ts';
import { wireConsent } from '../../format/wiring/wire-info.ts';
import { findSpecifiers } from '../plan/place/javascript-specifiers.ts';
import { folderOf, resolvePath } from '../plan/place/paths.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { findWired } from './find-wired.ts';
import type { ProjectTexts } from './project-texts.ts';

const STEERS = 'programs run or read this file by themselves: look at it, and delete it yourself';

/** The entries of the plan for `locked`, in the order of the steps. */
export function takeOutEntries(
  build: string,
  locked: readonly LockedWiring[],
  texts: ProjectTexts,
): WiringEntry[] {
  const entries: WiringEntry[] = [];
  // The last text was put in last: then the others are where they were put.
  for (const one of [...locked].reverse()) {
    if (one.action === 'kept') continue;
    const { step, file, text } = one;
    const entry = { build, step, file, text: text.trim() };
    const present = texts.get(file);
    const found = present === undefined ? undefined : findWired(present, one);
    if (found === undefined || present === undefined) {
      if (present === undefined && one.verb === 'file') continue;
      entries.unshift({ ...entry, action: 'left', why: 'it was changed or removed since' });
      continue;
    }
    const rest = present.slice(0, found.cut.start) + present.slice(found.cut.end);
    const isGone = one.verb === 'file' || (one.verb === 'lines' && rest === '');
    const needed = isGone ? wireConsent({ ...one, target: file }) : undefined;
    if (needed !== undefined && !(needed === 'startup' && isForModules(one, texts))) {
      // A lock is no consent: it may state the whole text of a file that the user wrote.
      entries.unshift({ ...entry, action: 'left', why: STEERS });
      continue;
    }
    texts.set(file, isGone ? undefined : rest);
    entries.unshift({ ...entry, action: 'removed' });
  }
  return entries;
}

/** Whether all that a file imports are files of builds: without them it is of no use. */
function isForModules({ file, text }: LockedWiring, { project }: ProjectTexts): boolean {
  const found = findSpecifiers(file, text);
  if (found === undefined || found.computed.length > 0) return false;
  const isOfModule = (specifier: string): boolean => {
    const path = /^\.{1,2}\//.test(specifier) ? resolvePath(folderOf(file), specifier) : undefined;
    if (path === undefined) return false;
    const stem = path.replace(/\.js$/, '');
    return [path, `${stem}.ts`, `${stem}/index.ts`].some((one) => project.isOfModule(one));
  };
  return found.specifiers.length > 0 && found.specifiers.every(({ value }) => isOfModule(value));
}

/** `text` of a file without what `locked` put into it; `undefined` where some of it was changed. */
export function withoutWiring(text: string, locked: readonly LockedWiring[]): string | undefined {
  let rest = text;
  for (const one of [...locked].reverse()) {
    if (one.action === 'kept') continue;
    const found = findWired(rest, one);
    if (found === undefined) return undefined;
    rest = rest.slice(0, found.cut.start) + rest.slice(found.cut.end);
  }
  return rest;
}
