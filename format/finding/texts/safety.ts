/** The texts of the findings that risk is computed from. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

/** What ended a scan, by `cause`. */
const SCAN_ENDS: Readonly<Record<string, (detail: unknown) => string>> = {
  crash: (signal) => `the scanner crashed (${String(signal)}), also without its native parser`,
  memory: () => 'the scanner had not enough memory',
  time: (limit) => `the scanner needed more than ${String(limit)} s of processor time`,
};

export const SAFETY_TEXTS = {
  'file-executable': {
    group: 'safety',
    level: 'info',
    message: () => 'The file is executable and is installed with mode 755',
    why: 'People who install a build should know which files can be run.',
    remedy: 'Nothing, if it is meant to be run; else clear the bit.',
  },
  'check-failed': {
    group: 'safety',
    level: 'warn',
    message: (a) => `Check "${a['check']}" failed: ${a['problem']}`,
    why: 'A check that did not finish has not cleared the build.',
    remedy: 'Report it to the registry: this is a defect of the check.',
  },
  'scan-ended': {
    group: 'safety',
    level: 'error',
    message: (a) =>
      `The build was not scanned: ${(SCAN_ENDS[String(a['cause'])] ?? String)(a['detail'])}`,
    why: 'Code that ends the scanner is not cleared, and usual code does not do this.',
    remedy:
      'Split the file, or publish the source instead of what is generated from it. If the files are usual code, report it to the registry: it is a defect of the scanner.',
  },
  'source-unread': {
    group: 'safety',
    level: 'warn',
    message: (a) => `The code in this file was not read completely: ${a['reason']}`,
    why: 'Code that is too large or nested too deeply is read in pieces, and what stays unread after that is not cleared. The level is info for code of tests, and for code without a source or sink in a build with more code than is parsed.',
    remedy:
      'Split the file, or publish the source instead of what is generated from it; save Python as UTF-8.',
  },
} as const satisfies Record<string, FindingText>;
