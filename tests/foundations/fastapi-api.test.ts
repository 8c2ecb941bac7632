/** `stackyard/fastapi-api` as users get it: started with `new`, a `.venv` with packages, then every row. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeFastapiApi } from './fastapi-api.contract.ts';
import { ourRegistry, runIn } from './our-registry.ts';

const registry = ourRegistry();
const project = (): string => join(registry.folder(), 'app');

beforeAll(() => registry.stackyard('new', 'stackyard/fastapi-api', 'app'));

describe('the new project', () => {
  test('passes its own tests with warnings as errors, and its linter', () => {
    expect(runIn(project(), '.venv/bin/python', '-m', 'pytest', '-W', 'error')).toMatch(
      /\d+ passed/,
    );
    expect(runIn(project(), '.venv/bin/python', '-m', 'ruff', 'check', '.')).toContain(
      'All checks',
    );
  });
});

describeFastapiApi(project);
