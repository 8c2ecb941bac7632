import { describe, expect, it } from 'vitest';
import { findApplication } from './find-application.ts';
import { prefixesOf, takenPrefix } from './mounted-paths.ts';
import { projectOf } from '../../tests/client/wire-fixture.ts';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { openCode } from './open-code.ts';

const ONE = "import express from 'express';\nconst app = express();\napp.get('/', one);\n";
const NONE = "import express from 'express';\nconst app = express();\n";
const TAKES =
  "import type { Express } from 'express';\nfunction mount(app: Express) { app.get('/', x); }\n";

describe('findApplication()', () => {
  it.each([
    ['the only one', { 'a.ts': ONE }, 'a.ts'],
    [
      'the function that mounts, and not the file that makes it',
      { 'a.ts': NONE, 'b.ts': TAKES },
      'b.ts',
    ],
  ])('finds %s', (_, files, path) => {
    expect(findApplication('@express', projectOf(files))).toMatchObject({ path, name: 'app' });
  });

  it.each([
    ['none', { 'a.ts': '' }, 'no file makes an application with express'],
    ['two', { 'a.ts': ONE, 'b.ts': ONE }, 'several places make an application: a.ts, b.ts'],
    ['two that mount', { 'a.ts': ONE, 'b.ts': TAKES }, 'several places mount routes: a.ts, b.ts'],
    ['a syntax error', { 'a.ts': `${ONE}(` }, 'it has a syntax error'],
    ['2 MB', { 'a.ts': ONE + ' '.repeat(2_000_000) }, 'it is too large to be read'],
    ['another role', { 'a.py': 'from fastapi import FastAPI\napp = FastAPI()\n' }, 'no file makes'],
  ])('states why there is no place: %s', (_, files, why) => {
    expect(findApplication('@express', projectOf(files as never))).toMatchObject({
      why: expect.stringContaining(why),
    });
  });
});

describe('prefixesOf()', () => {
  it.each([
    ["app.use('/auth', x);", ['/auth']],
    ["{ prefix: '/auth/', router }", ['/auth']],
    ['app.include_router(x, prefix="/auth")', ['/auth']],
    ["app.use(x); f('/other');", []],
  ])('%s mounts %j', (text, expected) => {
    const guide = `## Steps\n\n1. x\n\n   ~~~ts wire import a.ts\n   ${text}\n   ~~~\n`;
    const { steps } = parseWiring(guide);
    expect(prefixesOf(steps.flatMap(({ alternatives }) => alternatives.flat()))).toEqual(expected);
  });

  it('takes those of the expected requests where a router has its own prefix', () => {
    const expected =
      '```http expect\nPOST /auth/register -> 201\nGET /auth/me?x=1 -> 401\nGET /health -> 200\n```\n';
    const step = '## Steps\n\n1. x\n\n   ```python wire insert @fastapi routers:app\n   ';
    const guide = (text: string): string => `${step}${text}\n   \`\`\`\n\n${expected}`;
    const of = (text: string): string[] => {
      const { steps } = parseWiring(guide(text));
      const blocks = steps.flatMap(({ alternatives }) => alternatives.flat());
      return prefixesOf(blocks, guide(text));
    };
    expect(of('app.include_router(account_router)')).toEqual(['/auth']);
    expect(of('app.include_router(account_router, prefix="/x")')).toEqual(['/x']);
  });
});

describe('takenPrefix()', () => {
  const head = "import express from 'express';\nconst app = express();\n";
  it.each([
    ["app.get('/', x);", '', undefined],
    ["app.get('/auth', x);", '', '/auth'],
    ["app.get('/auth/me', x);", '', '/auth'],
    ["app.get('/author', x);", '', undefined],
    ["import api from './api.js';\napp.use(api);", "Router().get('/auth', x);", '/auth'],
    ["import api from './api.js';\napp.use('/api', api);", "Router().get('/auth', x);", undefined],
    [
      "import api from './api.js';\napp.use(P.x, api);",
      "Router();\nexport const P = { path: '/auth' };",
      '/auth',
    ],
  ])('%j and %j: %s', (text, api, expected) => {
    const texts = projectOf({ 'app.ts': head + text, 'api.ts': `export default ${api || '1;'}` });
    const application = findApplication('@express', texts);
    const found = 'why' in application ? undefined : application;
    expect(takenPrefix(openCode('app.ts', head + text)!, found, ['/auth'], texts)).toBe(expected);
  });
});
