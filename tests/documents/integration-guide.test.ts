/** The examples of docs/integration-guide.md are extracted and carried out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide } from '../../format/wiring/markdown.ts';
import { WIRE_VERBS, parseWireInfo } from '../../format/wiring/wire-info.ts';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { wireBuild } from '../../client/wire/wire-build.ts';
import { buildOf } from '../wiring-case.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/integration-guide.md'), 'utf8');

/** A project with a place for each example. */
const PROJECT = new Map([
  ['package.json', '{ "type": "module" }\n'],
  [
    'src/app.ts',
    "import express from 'express';\n\nexport const app = express();\napp.get('/', (_req, res) => res.end());\n",
  ],
  ['src/routes.ts', 'export const routes = [];\n'],
  ['app/main.py', 'from fastapi import FastAPI\n\napp = FastAPI()\n'],
  ['app/settings.py', 'INSTALLED = [\n    "users",\n]\n'],
]);

test('every verb has an example, and every example has its place', () => {
  const fences = readGuide(PAGE).fences.flatMap(({ info, text }) => {
    const parsed = parseWireInfo(info);
    return parsed === undefined ? [] : [{ info, text, parsed }];
  });
  expect(fences.filter(({ parsed }) => !parsed.ok)).toEqual([]);
  const verbs = new Set(fences.map(({ parsed }) => (parsed.ok ? parsed.info.verb : '')));
  expect([...verbs].sort()).toEqual([...WIRE_VERBS].sort());
  const steps = fences.map(({ info, text }, at) => {
    const indent = ' '.repeat(`${at + 1}. `.length);
    return `${at + 1}. Step\n\n${`~~~${info}\n${text}~~~`.replaceAll(/^/gm, indent)}\n`;
  });
  const { steps: wired, findings } = parseWiring(`## Steps\n\n${steps.join('\n')}`);
  expect(findings).toEqual([]);
  const { build, texts } = buildOf('express', PROJECT, { steps: wired });
  const { entries } = wireBuild(build, texts);
  // The example of a list mounts the path that the one of "file" mounts.
  expect(entries.filter(({ action }) => action !== 'added')).toEqual([]);
  expect(texts.get('src/app.ts')).toContain('mountAccount(app);');
  expect(texts.get('app/main.py')).toContain('app.include_router(account_router, prefix="/auth")');
  expect(texts.get('app/settings.py')).toContain('    "users",\n    "account",\n');
  expect(texts.get('src/routes.ts')).toContain("routes = [{ prefix: '/auth'");
});
