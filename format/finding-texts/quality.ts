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
  'env-undeclared': {
    group: 'quality',
    level: 'warn',
    message: (a) => `The code reads "${a['name']}", which the manifest does not declare`,
    why: 'Installing a build tells people which variables to set, from the manifest alone.',
    remedy: 'Add the variable to "env" in the manifest, with a description.',
  },
  'env-unread': {
    group: 'quality',
    level: 'info',
    message: (a) => `The manifest declares "${a['name']}", which no code reads`,
    why: 'People set variables that a manifest names; one without effect misleads them.',
    remedy: 'Remove the variable from "env" in the manifest, or read it.',
  },
} as const satisfies Record<string, FindingText>;
