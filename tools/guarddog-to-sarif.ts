/**
 * Turns what GuardDog reports about a folder into SARIF 2.1.0, which `stackyard check --with` and `npm run gate -- --sarif`
 * read: GuardDog itself writes SARIF only for lists of packages.
 *
 *     guarddog npm scan builds/alice/web --output-format json | \
 *       node tools/guarddog-to-sarif.ts 3.2.0 builds/alice/web > guarddog.sarif
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A rule finds places in files, or has one text about the package. */
const Places = z.array(z.object({ location: z.string(), message: z.string().optional() }));
const Report = z.object({ results: z.record(z.string(), z.unknown()) });

/**
 * The log of GuardDog `version` about `folder`, which begins the paths: GuardDog names files below the folder that it reads.
 * @throws {Error} `text` is no report of GuardDog
 */
export function guarddogToSarif(text: string, version: string, folder: string): object {
  const base = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const { results } = Report.parse(JSON.parse(text));
  const found = Object.entries(results).flatMap(([ruleId, places]) =>
    (Places.safeParse(places).data ?? []).map(({ location, message = '' }) => {
      const [, uri = location, line] = /^(.*):(\d{1,9})$/.exec(location) ?? [];
      const region = line === undefined ? {} : { region: { startLine: Number(line) } };
      return {
        ruleId,
        // What code can do is no accusation.
        level: ruleId.startsWith('capability-') ? 'note' : 'warning',
        message: { text: message },
        locations: [
          { physicalLocation: { artifactLocation: { uri: encodeURI(base + uri) }, ...region } },
        ],
      };
    }),
  );
  const tool = { driver: { name: 'GuardDog', version } };
  return { version: '2.1.0', runs: [{ tool, results: found }] };
}

if (import.meta.main) {
  const log = guarddogToSarif(
    readFileSync(0, 'utf8'),
    process.argv[2] ?? '',
    process.argv[3] ?? '',
  );
  process.stdout.write(`${JSON.stringify(log, null, 2)}\n`);
}
