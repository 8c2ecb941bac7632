/** `stackyard/fastapi-api` as users get it: started with `new`, a `.venv` with packages, then every row. */
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { describeFastapiApi } from './fastapi-api.contract.ts';
import { describeFastapiOperations } from './fastapi-operations.contract.ts';
import { ourRegistry } from './our-registry.ts';

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

// The packages take a minute on a machine that does nothing else.
beforeAll(
  () => registry.stackyard('new', 'stackyard/fastapi-api', 'app', '--allow', 'all'),
  400_000,
);

describeFastapiApi(project);
describeFastapiOperations(project);
