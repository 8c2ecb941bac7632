/** The command `audit`: checks a registry independently, against its log and against a clone of its repository. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { type AuditProblem, forAll, type ReadIndexFile } from '../../format/audit/audit-map.ts';
import { auditIndex } from '../../format/audit/audit-index.ts';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { isSameHash } from '../../format/log/hash.ts';
import { isNoteKey } from '../../format/log/note-key.ts';
import { readPublished } from '../log/published-log.ts';
import { json, text } from './fields.ts';

/** What the history alone decides; pages and registry.json also depend on the key and on the client that is served. */
const COMPARED = /^(?:advisories|builds|heads|owners|catalog|log\/tile)\/|^catalog\.json$/;

export const command = defineCommand({
  description:
    'Downloads the log of a registry, verifies its signature, its root over all entries and every tile, and compares all documents and tarballs with it and its map, in both directions. With a clone it also builds the index again and compares every file',
  input: z.object({
    place: z.string().meta({ description: 'an address or a folder', isArgument: true }),
    key: z.string().refine(isNoteKey, 'it is no key').optional().meta({
      description:
        'the public key that must have signed; by default the one that the registry states',
      placeholder: 'key',
    }),
    repo: text(
      'dir',
      "a clone of the registry's repository, with the commit that the registry states checked out",
    ),
    json,
  }),
  notes: [
    'Exit status: 0 nothing differs; 1 something does, or the registry cannot be read; 2 wrong usage.',
  ],
  examples: ['audit https://registry.example.org --repo ../registry'],
  run: async ({ place, key, repo, json: isJson }) => {
    const read = readPublished(place);
    const audit = await auditIndex(read, key);
    const differing = repo === undefined ? [] : await compareWithClone(read, repo, audit.commit);
    const problems = [...audit.problems, ...differing];
    if (isJson) console.log(JSON.stringify({ ...audit, problems }, null, 2));
    else {
      for (const { where, problem } of problems) console.log(`${where}: ${problem}`);
      const { entries, builds, versions, key: signer = 'no key' } = audit;
      console.log(
        `entries: ${entries}, builds: ${builds}, versions: ${versions}, signed by ${signer}`,
      );
      console.log(problems.length === 0 ? 'Nothing differs' : `Problems: ${problems.length}`);
    }
    return problems.length === 0 ? 0 : 1;
  },
});

/** Builds an index from a clone and compares it with the published one. @param commit that the registry states */
async function compareWithClone(
  read: ReadIndexFile,
  repo: string,
  commit: string | undefined,
): Promise<AuditProblem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-audit-'));
  try {
    const out = join(folder, 'index');
    const { generate } = await import('../pipeline/pipeline.ts');
    await generate({ repo, out, full: true, pages: false, unsigned: true, comparedWith: read });
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
