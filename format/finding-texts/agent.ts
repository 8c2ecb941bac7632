/** The texts of the findings about what steers coding agents. See `finding-text.ts`. */
import type { FindingText } from '../finding-text.ts';

export const AGENT_TEXTS = {
  'agent-instructions': {
    group: 'agent',
    level: 'info',
    message: () => 'Coding agents load this file as instructions',
    why: 'Text that agents obey deserves a look before it is installed.',
    remedy: 'Nothing: the finding informs the people who install the build.',
  },
} as const satisfies Record<string, FindingText>;
