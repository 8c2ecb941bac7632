/**
 * Measures the speed of the gate: seconds for a pull request of one build in a large registry, including the start
 * of the program.
 *
 *     npm run bench:gate -- [--builds N] [--versions N] [--rounds N]
 *
 * Prints the best and the median of the rounds, for a new version of a build and for a new name, which is
 * compared with every other; the lowest processor time including git's, which other work on the machine
 * affects least; and the highest peak memory. Each without and with filters of changed paths (docs/scale.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository } from './made-repository.ts';
import { measureGate } from './measure-gate.ts';
import { median } from './paired.ts';
import { repositoryOptions } from './repository-options.ts';

const options = repositoryOptions({ builds: 10_000, versions: 1, files: 8, rounds: 5 });
const { builds, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-bench-'));
const repository = join(folder, 'repository');

try {
  await makeRepository(repository, options);
  for await (const { what, measured } of measureGate(repository, options, rounds)) {
    const seconds = measured.map((run) => run.seconds);
    const best = Math.min(...seconds);
    const processor = Math.min(...measured.map((run) => run.processor));
    const peak = Math.max(...measured.map((run) => run.peakMb));
    const figures = `best ${best.toFixed(2)} s, median ${median(seconds).toFixed(2)} s`;
    const cost = `processor ${processor.toFixed(2)} s, peak ${peak.toFixed(0)} MB`;
    console.log(`${what} among ${builds} builds: ${figures}, ${cost}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
