/** The checks that every version passes through, in order. */
import { agentInstructions } from './agent-instructions.ts';
import type { Check } from './check.ts';
import { licenseFile } from './license-file.ts';
import { source } from './source.ts';

export const allChecks: readonly Check[] = [agentInstructions, licenseFile, source];
