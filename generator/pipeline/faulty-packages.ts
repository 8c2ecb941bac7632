/** The packages that a version of a build brings, compared with what is known about them. Pure. */
import type { PackageEcosystem, PackageEntry } from '../../format/advisory/package-advisories.ts';
import { inescapable, packageKey } from '../../format/advisory/package-advisories.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type { HeadVersion } from '../../format/index/head.ts';

/** The entries about one package of a build. */
export interface KnownPackage {
  readonly ecosystem: PackageEcosystem;
  readonly name: string;
  readonly entries: readonly PackageEntry[];
}

/** The packages of a version that it cannot bring without a known fault. */
export function faultyPackages(
  manifest: Manifest,
  known: readonly KnownPackage[],
): NonNullable<HeadVersion['packages']> {
  if (known.length === 0) return [];
  return packagesOf(manifest).flatMap(({ ecosystem, name, range }) => {
    const key = packageKey(ecosystem, name);
    const own = known.find((one) => one.ecosystem === ecosystem && one.name === key);
    const advisories = inescapable(ecosystem, range, own?.entries ?? []);
    return advisories.length === 0 ? [] : [{ ecosystem, name, range, advisories }];
  });
}

/** Those of run time first, each table sorted by name. */
export function packagesOf({ dependencies, devDependencies }: Manifest): {
  readonly ecosystem: PackageEcosystem;
  readonly name: string;
  readonly range: string;
}[] {
  return [dependencies, devDependencies].flatMap((tables) =>
    (['npm', 'pip'] as const).flatMap((table) =>
      Object.entries(tables?.[table] ?? {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, range]) => {
          return { ecosystem: table === 'npm' ? ('npm' as const) : ('PyPI' as const), name, range };
        }),
    ),
  );
}
