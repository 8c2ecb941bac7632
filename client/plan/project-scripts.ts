/**
 * The scripts of builds as one project can run them. A build ships `node dist/db.js` for its `src/db.ts`; the compiler of the
 * project may put it elsewhere, and the step that creates the file may be left to the user. Pure.
 */
import type { ScriptRequirement } from '../edit/json/package-scripts.ts';
import { quote } from '../edit/project-file.ts';
import type { Change, CompiledTo, ScriptFacts, Warning } from './plan.ts';
import type { PlannedWiring } from './planned-entries.ts';

const COMPILED = /(?<![\w./-])dist\/([\w/-]+(?:\.[\w-]+)*)\.js(?![\w.-])/g;

/** What a project of JavaScript starts itself. */
const STARTED = /(?<![\w./-])src\/[\w/-]+(?:\.[\w-]+)*\.[cm]?js(?![\w.-])/g;

/** The scripts to add, and a warning for each that the project could not run. */
export function projectScripts(
  builds: Change['builds'],
  { compiled, unmade = new Set() }: ScriptFacts,
): { readonly scripts: ScriptRequirement[]; readonly warnings: Warning[] } {
  const warnings: Warning[] = [];
  const scripts = builds.flatMap(({ id: build, manifest }) =>
    Object.entries(manifest.scripts ?? {}).flatMap(([name, shipped]): ScriptRequirement[] => {
      if (manifest.kind === 'foundation') return [{ name, value: shipped, build }];
      const sources = sourcesOf(shipped);
      const value = shipped.replaceAll(COMPILED, (path, stem: string) => {
        return (compiled && compiledPath(`src/${stem}.js`, compiled)) ?? path;
      });
      const missing = sources.find((source) => unmade.has(source));
      if (missing === undefined) return [{ name, value, build }];
      const message = `Script ${quote(name)} of ${quote(build)} is not added: the step that creates "${missing}", which it starts, is left to you; afterwards it is ${quote(value)}`;
      warnings.push({ code: 'script-left-out', message, path: '' });
      return [];
    }),
  );
  return { scripts, warnings };
}

/** The sources of scripts that no step creates, where the steps of guides are carried out. @param has whether the project has a file */
export function unmadeSources(
  builds: Change['builds'],
  wired: PlannedWiring | undefined,
  has: (path: string) => boolean,
): Set<string> {
  const byHand = wired?.entries.filter(({ action }) => action === 'by_hand') ?? [];
  const sources = builds.flatMap(({ id, manifest }) => {
    const left = byHand.filter(({ build }) => build === id).map(({ text }) => text);
    const started = Object.values(manifest.scripts ?? {}).flatMap(sourcesOf);
    return started.filter((source) => left.some((text) => text.includes(` wire file ${source}`)));
  });
  return new Set(sources.filter((source) => !has(source) && !wired!.files.has(source)));
}

function sourcesOf(script: string): string[] {
  const compiled = Array.from(script.matchAll(COMPILED), ([, stem = '']) => `src/${stem}.ts`);
  return [...compiled, ...(script.match(STARTED) ?? [])];
}

function compiledPath(source: string, { outDir, rootDir }: CompiledTo): string | undefined {
  const inside = rootDir === '' ? source : source.slice(rootDir.length + 1);
  if (rootDir !== '' && !source.startsWith(`${rootDir}/`)) return undefined;
  return outDir === '' ? inside : `${outDir}/${inside}`;
}
