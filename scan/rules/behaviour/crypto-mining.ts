/** Programs that mine cryptocurrency on the machine of the user who installs them. */
import type { Rule } from '../../rule.ts';
import { commandFindings } from '../../evidence/commands.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { found, quote } from '../../evidence/fact-finding.ts';

export const cryptoMining: Rule = {
  name: 'crypto-mining',
  run: (build) => {
    const pools = build.taint.texts.filter((t) => /^stratum\+\w{3,5}:\/\//i.test(t.text));
    return [
      ...pools.map((t) => {
        const level = isTestPath(t.path) ? 'info' : undefined;
        return found(build, 'crypto-mining', t, { pool: quote(t.text) }, level);
      }),
      ...commandFindings(build, 'crypto-mining'),
    ];
  },
};
