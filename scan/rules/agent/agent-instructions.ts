/** Reports the files that coding agents load as instructions or settings (specification, item 7). */
import { finding } from '../../../format/finding/finding.ts';
import { isAgentFile } from '../../../format/build/consent.ts';
import { byPath } from '../../parse/by-path.ts';
import type { Rule } from '../../rule.ts';

const isForAgents = byPath(isAgentFile);

export const agentInstructions: Rule = {
  name: 'agent-instructions',
  run: ({ files }) =>
    files.filter((f) => isForAgents(f.path)).map((f) => finding('agent-instructions', f.path)),
};
