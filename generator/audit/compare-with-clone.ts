/** Builds an index from a clone of the repository and compares it with the published one. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { forAll } from '../../format/audit/audit.ts';
import type { AuditProblem, ReadIndexFile } from '../../format/audit/audit.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { parseDocument } from '../../format/document/document.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { isSameHash } from '../../format/log/hash.ts';
import { generate } from '../pipeline/pipeline.ts';

/** What the history alone decides; pages and registry.json also depend on the key and on the client that is served. */
const COMPARED = /^(?:advisories|builds|heads|owners|catalog|log\/tile)\/|^catalog\.json$/;

/** @param commit that the registry states */
export async function compareWithClone(
  read: ReadIndexFile,
  repo: string,
  commit: string | undefined,
): Promise<AuditProblem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-audit-'));
  try {
    const out = join(folder, 'index');
    await generate({ repo, out, full: true, pages: false, comparedWith: read });
    const own = readFileSync(join(out, REGISTRY_PATH));
    const { source_commit: built } = parseDocument(RegistryInfo, own, REGISTRY_PATH);
    if (built !== commit) {
      const problem = `is of commit ${commit ?? 'unknown'}, and the clone has ${built}: check that commit out`;
      return [{ where: REGISTRY_PATH, problem }];
    }
    const paths = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(out, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => COMPARED.test(path))
      .sort();
    const found = await forAll(paths, async (where): Promise<AuditProblem[]> => {
      const served = await read(where);
      if (served === undefined) return [{ where, problem: 'is missing, and the clone has it' }];
      const isSame = isSameHash(served, readFileSync(join(out, where)));
      return isSame ? [] : [{ where, problem: 'is not what the clone gives' }];
    });
    return found.flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
