/** The option `--on-exists`: decisions about files of the project, for all and for single paths. */
import { Option } from 'commander';
import type { FileDecisions } from '../plan/file-decisions.ts';
import { DECISIONS, NO_DECISIONS, parseFileDecision } from '../plan/file-decisions.ts';

export function onExistsOption(): Option {
  return new Option(
    '--on-exists <what>',
    'if a file of the project differs; for one file write it as theirs:src/a.ts, and repeat the option',
  )
    .choices(DECISIONS)
    .argParser(parseFileDecision)
    .default(NO_DECISIONS, '"fail"');
}

/** The decisions in the options of a command. */
export function existing(options: Record<string, unknown>): FileDecisions {
  return options['onExists'] as FileDecisions;
}
