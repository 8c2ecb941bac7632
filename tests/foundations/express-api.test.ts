/** `stackyard/express-api` as users get it: started with `new`, packages from npm, then every row over HTTP. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeExpressApi } from './express-api.contract.ts';
import { isLong } from '../run/runs.ts';
import { ourRegistry, runIn } from './our-registry.ts';

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

beforeAll(() => registry.stackyard('new', 'stackyard/express-api', 'app'));

describe('the new project', () => {
  // Its type check and tests are among the rows.
  test('passes its own build', () => {
    expect(runIn(project(), 'npm', 'run', '-s', 'build')).toBe('');
  });
});

describeExpressApi(project, 'production');
// Every row again; what depends on the mode has its rows in the first run.
if (isLong()) describeExpressApi(project, 'development');
