/** From a file of an OSV dump to what it states about packages of npm and PyPI. */
import { isOsvId } from '../../format/advisory/advisory.ts';
import { OsvEntry } from '../../format/advisory/osv-entry.ts';
import type { OsvAffected } from '../../format/advisory/osv-range.ts';
import { packageKey } from '../../format/advisory/package-advisories.ts';
import type { PackageEcosystem } from '../../format/advisory/package-advisories.ts';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import type { DumpFile } from './dump-files.ts';

export interface PackageFact {
  readonly ecosystem: PackageEcosystem;
  /** As `packageKey` gives it. */
  readonly name: string;
  readonly id: string;
  readonly affected: readonly OsvAffected[];
}

/** `undefined` for a file that is no OSV entry; none for a withdrawn entry, and for other ecosystems. */
export function packageFacts({ name, bytes }: DumpFile): PackageFact[] | undefined {
  const entry = tryParse(name, bytes);
  if (entry === undefined || !isOsvId(entry.id)) return undefined;
  if (entry.withdrawn !== undefined) return [];
  const byPackage = new Map<string, PackageFact & { affected: OsvAffected[] }>();
  for (const { package: about, ranges = [], versions = [] } of entry.affected ?? []) {
    const ecosystem = about?.ecosystem;
    if (ecosystem !== 'npm' && ecosystem !== 'PyPI') continue;
    const key = packageKey(ecosystem, about?.name ?? '');
    const known = byPackage.get(`${ecosystem} ${key}`) ?? {
      ecosystem,
      name: key,
      id: entry.id,
      affected: [],
    };
    const numbered = ranges.filter(({ type }) => type !== 'GIT').map(({ events }) => ({ events }));
    known.affected.push({ ranges: numbered, versions });
    byPackage.set(`${ecosystem} ${key}`, known);
  }
  return [...byPackage.values()];
}

function tryParse(name: string, bytes: Uint8Array): OsvEntry | undefined {
  try {
    return parseDocument(OsvEntry, bytes, name);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
