import { describe, expect, it } from 'vitest';
import { findApplication } from './find-application.ts';
import { projectOf } from './wire-fixture.ts';

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
