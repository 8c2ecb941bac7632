/** The checks of files, dependencies, instructions and quality: what shows without following data. */
import { agentInjection } from './agent-injection.ts';
import { archiveFile } from './archive-file.ts';
import { autoRun } from './auto-run.ts';
import { binaryFile } from './binary-file.ts';
import type { Check } from './check.ts';
import { content } from './content.ts';
import { dependencyName } from './dependency-name.ts';
import { dependencyRange } from './dependency-range.ts';
import { dependencySource } from './dependency-source.ts';
import { dependencyUndeclared } from './dependency-undeclared.ts';
import { dependencyUnused } from './dependency-unused.ts';
import { disguisedFile } from './disguised-file.ts';
import { guide } from './guide.ts';
import { hiddenText } from './hidden-text.ts';
import { integrationStep } from './integration-step.ts';
import { metadata } from './metadata.ts';
import { metadataCredentials } from './metadata-credentials.ts';
import { packedCode } from './packed-code.ts';
import { secret } from './secret.ts';
import { shellFetch } from './shell-fetch.ts';
import { workmanship } from './workmanship.ts';
import { spelledCode } from './spelled-code.ts';

export const contentChecks: readonly Check[] = [
  agentInjection,
  hiddenText,
  spelledCode,
  secret,
  autoRun,
  shellFetch,
  metadataCredentials,
  binaryFile,
  disguisedFile,
  packedCode,
  archiveFile,
  dependencyName,
  dependencyRange,
  dependencySource,
  dependencyUndeclared,
  dependencyUnused,
  integrationStep,
  content,
  guide,
  metadata,
  workmanship,
];
