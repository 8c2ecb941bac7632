/** The command `take-down`: writes the statement by which a version, or a whole build, is removed from the registry. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { shownTextProblem } from '../../format/document/shown-text.ts';
import { OwnerFile, TakeDown } from '../../format/registry/owner-file.ts';
import { buildFolder, ownerFilePath } from '../../format/registry/repository-layout.ts';
import { takeDownOf, WHOLE_BUILD } from '../../format/registry/status.ts';
import { isVersion } from '../../format/version/version.ts';
import { countedFrom, loadConfig } from '../config.ts';
import { GeneratorError, usageError } from '../errors.ts';
import { PublishedHistory } from '../gate/registry.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { writeWhole } from '../write-whole.ts';
import { repo } from './fields.ts';

const shown = (what: string): z.ZodString =>
  z.string().meta({ description: what, placeholder: 'text' });

export const command = defineCommand({
  description:
    'Writes the statement into the owner file by which an admin takes down a version, or a whole build, at any time and permanently: the next run signs a tombstone into the log and removes the content from index and search, and the next deployment from the store. Commit it as an admin, or bring it as a pull request of one. The statement is public and stays: it must not have what is taken down',
  input: z.object({
    build: z
      .string()
      .meta({ description: '<owner>/<name> or <owner>/<name>@<version>', isArgument: true }),
    reason: shown('why, at most 300 characters'),
    reference: shown('the order or request, such as a file number'),
    date: z.string().optional().meta({
      description: 'when it was decided; by default today, in UTC',
      placeholder: 'yyyy-mm-dd',
    }),
    repo,
  }),
  notes: [
    'Exit status: 0 written; 1 it was never published, or is taken down already, and nothing was written; 2 wrong usage.',
  ],
  examples: [
    'take-down alice/web@1.0.1 --reason "Has personal data" --reference "Request 2026-17"',
  ],
  run: async ({ build, reason, reference, repo: place, ...given }) => {
    const [, id = '', version] = /^([^@]*)(?:@(.*))?$/s.exec(build) ?? [];
    if (!isBuildId(id) || (version !== undefined && !isVersion(version))) {
      throw usageError(
        'take-down',
        `Cannot read ${JSON.stringify(build)}: write <owner>/<name>[@<version>]`,
      );
    }
    const today = new Date().toISOString().slice(0, 10);
    const parsed = TakeDown.safeParse({ reason, date: given.date ?? today, reference });
    const problem = [reason, reference]
      .map((one) => shownTextProblem(one))
      .find((one) => one !== undefined);
    if (!parsed.success || problem !== undefined) {
      const why =
        problem ??
        parsed.error?.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('; ');
      throw usageError('take-down', `The statement cannot be used: ${why}`);
    }
    const opened = await openRepository(resolve(place));
    const reader = new ObjectReader(opened.folder);
    try {
      const { config } = await loadConfig(opened, reader);
      const repository = await countedFrom(opened, config);
      await requirePublished(await PublishedHistory.read(repository, reader, id), id, version);
      const [owner = '', name = ''] = id.split('/');
      const path = ownerFilePath(owner, config);
      const file = join(repository.folder, path);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
      const before = takeDownOf(
        parseDocument(OwnerFile, Buffer.from(text), `"${file}"`),
        name,
        version ?? WHOLE_BUILD,
      );
      if (before !== undefined) {
        throw refused(
          `${build} was taken down on ${before.date} (${before.reference})`,
          'nothing is to be done: a take-down is permanent',
        );
      }
      const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
      const at = ['taken_down', name, version ?? WHOLE_BUILD];
      writeWhole(file, applyEdits(text, modify(text, at, parsed.data, { formattingOptions })));
      console.log(
        `Wrote ${path}: commit it as an admin, then "generate" and "deploy" remove ${build}`,
      );
      if (version === undefined)
        console.log(`With it may go: git rm -r ${buildFolder(id, config)}`);
      console.log(
        'Then remove it from caches before the host, and from the git history: docs/operate.md, "Take something down"',
      );
    } finally {
      reader.close();
    }
    return 0;
  },
});

async function requirePublished(
  history: PublishedHistory,
  id: string,
  version: string | undefined,
): Promise<void> {
  const found =
    version === undefined ? await history.highest(() => true) : await history.find(version);
  if (found !== undefined) return;
  throw refused(
    `${id}${version === undefined ? '' : `@${version}`} was never published in this history`,
    'correct the id; where the history was rewritten without it, write the statement on a clone of before',
  );
}

function refused(problem: string, hint: string): GeneratorError {
  return new GeneratorError('ERR_TAKE_DOWN', `Nothing was written: ${problem}`, { hint });
}
