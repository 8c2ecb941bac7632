/** All modules at once work in a project, in each foundation on each database. `tools/prove-subsets.ts` has the other subsets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DATABASES,
  FOUNDATIONS,
  SubsetProver,
  readFeatures,
  subsetsOf,
} from '../../tools/prove-subsets.ts';

const prover = new SubsetProver();

beforeAll(() => prover.open(), 600_000);
afterAll(() => prover.close());

const CASES = FOUNDATIONS.flatMap((foundation) =>
  DATABASES.map((database) => ({ foundation, database })),
);

test.each(CASES)(
  '$foundation on $database',
  async ({ foundation, database }) => {
    const subsets = subsetsOf(readFeatures(), foundation, database);
    const [all] = subsets.toSorted((a, b) => b.modules.length - a.modules.length);
    expect(all?.modules).toContain(database);
    expect(await prover.prove(all!)).toBeUndefined();
  },
  900_000,
);
