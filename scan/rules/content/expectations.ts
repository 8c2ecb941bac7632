/** Fences `http expect` of INTEGRATION.md that no client would send. */
import { parseExpectations } from '../../../format/wiring/expectations.ts';
import type { Rule } from '../../rule.ts';
import { guideOf } from '../../text/wired-files.ts';

const MAX_FINDINGS = 20;

export const expectations: Rule = {
  name: 'expectations',
  run: ({ files }) => parseExpectations(guideOf(files)).findings.slice(0, MAX_FINDINGS),
};
