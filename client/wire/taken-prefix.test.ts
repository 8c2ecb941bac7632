import { describe, expect, it } from 'vitest';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { findApplication } from './find-application.ts';
import { openCode } from './open-code.ts';
import { prefixesOf, takenPrefix } from './taken-prefix.ts';
import { projectOf } from './wire-fixture.ts';

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
