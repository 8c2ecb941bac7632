/**
 * Turns what GuardDog reports about a folder into SARIF 2.1.0, which `stackyard check --with` and `npm run gate -- --sarif`
 * read: GuardDog itself writes SARIF only for lists of packages.
 *
 *     guarddog npm scan builds/alice/web --output-format json | \
 *       node tools/guarddog-to-sarif.ts 3.2.0 builds/alice/web > guarddog.sarif
 */
import { readFileSync } from 'node:fs';
import { guarddogToSarif } from '../generator/gate/external-findings.ts';

if (import.meta.main) {
  const log = guarddogToSarif(
    readFileSync(0, 'utf8'),
    process.argv[2] ?? '',
    process.argv[3] ?? '',
  );
  process.stdout.write(`${JSON.stringify(log, null, 2)}\n`);
}
