/** Indexes of the repositories of tests, each made once in a run: repositories with one newest commit have one index. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatNoteSigner } from '../../format/log/note-key.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import type { GitFixture } from '../generate/git-fixture.ts';
import { makeOnce } from '../run/make-once.ts';

/** Beside the folder `index`. */
const STATE = '.index.state.sqlite';

/**
 * Brings the folder `out` up to date with a repository, with the state of the generator beside it.
 * @param out a folder `index`, alone in its folder
 */
export async function generateOnce(
  { folder, head }: GitFixture,
  out: string,
  signers: readonly NoteSigner[] = [],
): Promise<void> {
  const options = { repo: folder, threads: 1, signers };
  if (existsSync(out)) {
    await generateDocuments({ ...options, out });
    return;
  }
  const input = [head, ...signers.map(formatNoteSigner)].join('\n');
  const name = `index-${createHash('sha256').update(input).digest('hex')}`;
  const made = await makeOnce(name, async (one) => {
    await generateDocuments({ ...options, out: join(one, 'index') });
  });
  cpSync(join(made, 'index'), out, { recursive: true });
  cpSync(join(made, STATE), join(dirname(out), STATE));
}
