/** The texts of the findings about instructions to coding agents. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

export const AGENT_TEXTS = {
  'agent-instructions': {
    group: 'agent',
    level: 'info',
    message: () => 'Coding agents load this file as instructions',
    why: 'Agents obey this text: read it before you install the build.',
    remedy: 'Nothing: the finding informs the people who install the build.',
  },
  'agent-injection': {
    // Not `agent`: it does harm, and risk is computed from safety findings.
    group: 'safety',
    level: 'error',
    // allow-word says: the name of an argument that the rule sets
    message: (a) => `Coding agents are instructed ${a['says']} ${a['where']}: "${a['line']}"`,
    why: 'Agents follow what they read with the rights of the user who started them.',
    remedy:
      'Remove it. Documentation that quotes such an attack must state that next to the quotation.',
  },
  'integration-step-file': {
    group: 'quality',
    level: 'warn',
    message: (a) => `INTEGRATION.md names "${a['path']}", which the build does not have`,
    why: 'People and agents stop at a step that cannot be carried out.',
    remedy: 'Correct the path, or publish the file.',
  },
  'integration-step-variable': {
    group: 'quality',
    level: 'warn',
    message: (a) =>
      `INTEGRATION.md names variable "${a['name']}", which neither the manifest nor any file has`,
    why: 'People and agents stop at a step that cannot be carried out.',
    remedy: 'Correct the name, or declare the variable in "env".',
  },
} as const satisfies Record<string, FindingText>;
