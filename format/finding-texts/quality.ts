/** The texts of the findings that take points of quality. See `finding-text.ts`. */
import type { FindingText } from '../finding-text.ts';

export const QUALITY_TEXTS = {
  'license-file-missing': {
    group: 'quality',
    level: 'warn',
    message: (a) => `No licence file for "${a['license']}" at the root of the build`,
    why: 'Most licences ask that their text goes along with every copy.',
    remedy: 'Add LICENSE with the text of the licence that the manifest names.',
  },
  'license-file-empty': {
    group: 'quality',
    level: 'warn',
    message: () => 'The licence file is empty',
    why: 'Most licences ask that their text goes along with every copy.',
    remedy: 'Put the text of the licence into the file.',
  },
  'source-unparsed': {
    group: 'quality',
    level: 'info',
    message: () => 'The file has a syntax error: checks may not have read what follows it',
    why: 'Code that does not parse does not run, and checks that need its syntax cannot vouch for it.',
    remedy: 'Mend the syntax, or give files in another dialect another extension.',
  },
} as const satisfies Record<string, FindingText>;
