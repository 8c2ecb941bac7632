import { describe, expect, it } from 'vitest';
import { EXPRESS, HONO } from './framework.ts';
import { readMounts } from './mounts.ts';
import { Routers } from './routers.ts';
import { readTree, statementsOf } from './tree.ts';

/** The statement after which `app` takes routes, or why there is none. */
function after(text: string, framework = EXPRESS): string | undefined {
  const tree = readTree('a.ts', text)!;
  const block = statementsOf(tree.program);
  const routers = new Routers({
    read: (_, name) =>
      name === './api' ? { path: 'api.ts', text: 'export default Router();' } : undefined,
  });
  const found = readMounts(tree, { name: 'app', block, scope: tree.program, framework, routers });
  return found.problem ?? (found.after && text.slice(found.after.start, found.after.end));
}

describe('readMounts()', () => {
  it.each([
    ["app.get('/', x);\napp.use(cors());", "app.get('/', x);"],
    ["app.use('/a', x);\napp.use((q, s) => s.end());", "app.use('/a', x);"],
    ["import api from './api';\napp.use(api);", 'app.use(api);'],
    ["import api from 'other';\napp.use(api);", undefined],
    ["app.options('/a', x);", undefined],
    ["if (docs) app.use('/docs', x);", undefined],
    ["app.get('title');", undefined],
    [
      'for (const r of all) app.use(r.path, r.router);',
      'for (const r of all) app.use(r.path, r.router);',
    ],
    ["app.get('/', x);\napp.all('*', y);", "app.get('/', x);"],
    [
      "app.all('/*splat', y);\napp.get('/', x);",
      'a route that answers every path stands before the last one',
    ],
    ["app.use('/a', x).use('*', y);", 'one statement mounts routes and answers all other paths'],
    ["start(() => { app.get('/', x); });", 'routes are mounted in a nested function'],
  ])('%s', (text, expected) => {
    expect(after(text)).toBe(expected);
  });

  it('knows what mounts in Hono', () => {
    expect(after("app.route('/a', x);\napp.use('/b', y);", HONO)).toBe("app.route('/a', x);");
  });
});
