/** What wiring writes, as the fixers of a project leave it: files that steps create, and files of the user before and after. */
import { joinHeader } from '../edit/linter-header.ts';
import type { WiredTexts, WiringStyle } from '../plan/project-view.ts';
import type { Fixer } from './fixers.ts';
import { runFixers } from './run-fixers.ts';

/** Runs the fixers. @throws what `signal` is aborted with */
export async function findWiringStyle(
  project: string,
  fixers: readonly Fixer[],
  { created, wired, read, around }: WiredTexts,
  signal: AbortSignal,
): Promise<WiringStyle> {
  const isFixed = (path: string): boolean => fixers.some(({ files }) => files.test(path));
  const after = new Map([...created].filter(([path]) => isFixed(path)));
  const before = new Map<string, string>();
  for (const [path, text] of wired.files) {
    const old = read(path);
    if (text === undefined || old === undefined || created.has(path) || !isFixed(path)) continue;
    before.set(path, old);
    after.set(path, text);
  }
  const none = { created: new Map<string, string>(), edited: new Map(), warnings: [] };
  if (after.size === 0) return none;
  const ran = await runFixers(project, fixers, [before, after], signal, undefined, around);
  if ('problem' in ran) {
    const message = `What the guides write stays as it was shipped, not in the style of the project: ${ran.problem}`;
    return { ...none, warnings: [{ code: 'style-failed', message, path: '' }] };
  }
  const [old, now] = ran.styled;
  const texts = [...created.keys()].flatMap((path) => {
    const styled = now!.get(path);
    const text = styled?.stages.at(-1);
    return text === undefined ? [] : [[path, joinHeader(styled!.header, text)] as const];
  });
  const edited = [...before.keys()].map(
    (path) => [path, [old!.get(path)!, now!.get(path)!]] as const,
  );
  return { created: new Map(texts), edited: new Map(edited), warnings: [] };
}
