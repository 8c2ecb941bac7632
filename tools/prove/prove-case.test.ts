import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placedFiles } from './prove-case.ts';

const BUILDS = join(import.meta.dirname, '../../builds');

function readBuild(id: string, file: string): string {
  return readFileSync(join(BUILDS, id, file), 'utf8');
}

test.each(['stackyard/sqlite', 'stackyard/account'])(
  'INTEGRATION.md of %s lists exactly what is installed, and no tests are',
  (id) => {
    const { base } = JSON.parse(readBuild(id, 'stackyard.json')) as { base: string };
    const row = /^\| Source \| (.*) \|$/m.exec(readBuild(id, 'INTEGRATION.md'))?.[1] ?? '';
    const listed = [...row.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const placed = placedFiles(join(BUILDS, id)).map((path) => `${base}/${path}`);
    expect(listed.toSorted()).toEqual(placed.toSorted());
    expect(placed.filter((path) => path.includes('test'))).toEqual([]);
  },
);

test.each(['stackyard/express-api', 'stackyard/hono-api'])(
  'INTEGRATION.md of %s names all that is installed',
  (id) => {
    const guide = readBuild(id, 'INTEGRATION.md');
    const missing = placedFiles(join(BUILDS, id)).filter((path) => !guide.includes(`\`${path}\``));
    expect(missing).toEqual([]);
  },
);
