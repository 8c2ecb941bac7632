/** Compares the heads and tarballs of an index with its log, in both directions. */
import { integrityOf, sha256Hex } from '../archive/integrity.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { Catalog, CatalogShard } from '../index/catalog.ts';
import { Head } from '../index/head.ts';
import { CATALOG_PATH, headPath, provenancePath, shardPath, tarballPath } from '../index/layout.ts';
import { checkProvenance } from '../provenance/provenance.ts';
import { forAll } from './audit.ts';
import type { AuditProblem, ReadIndexFile } from './audit.ts';
import type { LoggedBuild } from './logged-state.ts';

/** No deprecation: the integrity of the canonical JSON of `null`. */
const NONE = digest(null);

/** What the index serves of builds otherwise than the log has it. */
export async function auditBuilds(
  read: ReadIndexFile,
  builds: ReadonlyMap<string, LoggedBuild>,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  for (const id of await cataloguedIds(read, problems)) {
    if (!builds.has(id)) problems.push({ where: id, problem: 'is in the catalog, not in the log' });
  }
  const found = await forAll([...builds], ([id, build]) => auditBuild(read, id, build));
  return [...problems, ...found.flat()];
}

async function auditBuild(
  read: ReadIndexFile,
  id: string,
  { versions, deprecation = NONE }: LoggedBuild,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  const add = (problem: string): void => void problems.push({ where: id, problem });
  const head = await document(read, headPath(id), Head, problems);
  if (head === undefined) return problems;
  if (head.id !== id) add(`its head is of "${head.id}"`);
  if (digest(head.deprecated ?? null) !== deprecation) add('is deprecated otherwise than logged');
  const shown = new Map(head.versions.map((version) => [version.version, version]));
  for (const version of shown.keys()) {
    if (!versions.has(version)) add(`${version} is in its head, not in the log`);
  }
  for (const [version, logged] of versions) {
    const { index, integrity, commit, tree, published_at, isYanked } = logged;
    const served = shown.get(version);
    if (served === undefined) {
      add(`${version} is in the log, and its head hides it`);
      continue;
    }
    const expected = canonicalJson({ index, integrity, commit, tree, published_at });
    const actual = canonicalJson({
      ...served.log,
      integrity: served.integrity,
      published_at: served.published_at,
    });
    if (actual !== expected)
      add(`${version} is in its head as ${actual.trim()}, logged as ${expected.trim()}`);
    if ((served.yanked !== false) !== isYanked) {
      add(`${version} is ${isYanked ? 'yanked' : 'not yanked'} in the log, and not in its head`);
    }
    if (served.withdrawn === true && served.yanked === false) {
      add(`${version} is withdrawn in its head, and not yanked`);
    }
    const tarball = await read(tarballPath(id, version));
    const digestOf = tarball === undefined ? 'missing' : integrityOf(tarball);
    // A host keeps the tarball of a withdrawn version for a while.
    const isGone = tarball === undefined && served.withdrawn === true && isYanked;
    if (digestOf !== integrity && !isGone)
      add(`the tarball of ${version} is ${digestOf}, logged as ${integrity}`);
    const statement = await read(provenancePath(id, version));
    const entry = { type: 'publish', id, version, integrity, commit, tree, published_at } as const;
    const checked =
      statement === undefined
        ? { problem: 'is missing' }
        : checkProvenance(statement, entry, index);
    if ('problem' in checked) add(`the provenance of ${version}: ${checked.problem}`);
  }
  return problems;
}

async function cataloguedIds(read: ReadIndexFile, problems: AuditProblem[]): Promise<string[]> {
  const catalog = await document(read, CATALOG_PATH, Catalog, problems);
  const shards = await forAll(catalog?.shards ?? [], async ({ sha256 }) => {
    const where = shardPath(sha256);
    const bytes = await read(where);
    if (bytes !== undefined && sha256Hex(bytes) !== sha256) {
      problems.push({ where, problem: 'has another digest than in its name' });
    }
    return document(async () => bytes, where, CatalogShard, problems);
  });
  return shards.flatMap((shard) => shard?.builds.map(({ id }) => id) ?? []);
}

async function document<Schema extends typeof Head | typeof Catalog | typeof CatalogShard>(
  read: ReadIndexFile,
  path: string,
  schema: Schema,
  problems: AuditProblem[],
): Promise<ReturnType<Schema['parse']> | undefined> {
  const bytes = await read(path);
  if (bytes === undefined) {
    problems.push({ where: path, problem: 'is missing' });
    return undefined;
  }
  try {
    return parseDocument(schema, bytes, path) as ReturnType<Schema['parse']>;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    problems.push({ where: path, problem: error.message });
    return undefined;
  }
}

function digest(statement: unknown): string {
  return integrityOf(new TextEncoder().encode(canonicalJson(statement)));
}
