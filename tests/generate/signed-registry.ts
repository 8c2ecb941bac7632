/** A registry with a signed log, of which each run makes the index. */
import { join } from 'node:path';
import { noteSigner } from '../../format/log/note-key.ts';
import type { GenerateOptions } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';

export const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

interface Fixture {
  readonly git: GitFixture;
  readonly out: string;
  readonly run: (options?: Partial<GenerateOptions>) => Promise<Report>;
}

export function signedRegistry(): Fixture {
  const [git, out] = [new GitFixture(), join(temporaryFolder(), 'index')];
  git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
  const run = (options: Partial<GenerateOptions> = {}): Promise<Report> =>
    generateDocuments({ repo: git.folder, out, threads: 1, signers: [SIGNER], ...options });
  return { git, out, run };
}
