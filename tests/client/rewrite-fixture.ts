/** Builds and projects as texts, for the tests of rewriting. */
import type { ImportStyle } from '../../client/plan/plan.ts';
import type { Alias } from '../../client/plan/place/aliases.ts';
import type { LeftImport } from '../../client/plan/place/rewrite.ts';
import { Layout, type BuildPlace } from '../../client/plan/place/layout.ts';
import { rewriteBuild } from '../../client/plan/place/rewrite-build.ts';

/** Files of a build by their path in it, and where the build is. */
export interface BuildTexts {
  readonly base: string;
  readonly place?: string;
  readonly requires?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

export interface ProjectTexts {
  readonly style?: ImportStyle;
  readonly alias?: string;
  readonly aliases?: readonly Alias[];
  readonly baseUrl?: string;
  readonly roots?: readonly string[];
  /** Modules of the project itself. */
  readonly modules?: readonly string[];
  readonly packages?: readonly string[];
}

/** The text of each file of the build `id`, by its path in the project, and what was left as it is. */
export function rewriteTexts(
  id: string,
  builds: Readonly<Record<string, BuildTexts>>,
  project: ProjectTexts = {},
): { files: Record<string, string>; left: Record<string, readonly LeftImport[]> } {
  const places = Object.entries(builds).map(([name, { base, place = base, requires, files }]) => {
    return { id: name, base, place, requires: requires ?? [], files: Object.keys(files) };
  });
  const layout = new Layout(places satisfies BuildPlace[]);
  const build = layout.get(id)!;
  const texts = Object.entries(builds[id]!.files);
  const { aliases = [], baseUrl, style, alias, roots = ['src', ''] } = project;
  const result = rewriteBuild(
    texts.map(([path, text]) => [path, { bytes: Buffer.from(text) }] as const),
    {
      layout,
      build,
      style,
      alias,
      packages: new Set(project.packages),
      aliases: () => ({ aliases, baseUrl }),
      pythonRoots: () => roots,
      hasModule: (path) => project.modules?.includes(path) === true,
    },
  );
  const at = (path: string): string => (build.place === '' ? path : `${build.place}/${path}`);
  const files = texts.map(([path, text]) => {
    const now = result.files.get(path);
    return [at(path), now === undefined ? text : Buffer.from(now.bytes).toString()];
  });
  return { files: Object.fromEntries(files), left: Object.fromEntries(result.left) };
}
