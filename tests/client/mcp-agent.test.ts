/** An agent that follows the descriptions and answers of the tools alone reaches a proven route. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { reach } from './mcp-agent.ts';
import { Session } from './mcp-session.ts';
import { makeProject, serveRegistry } from './registry-fixture.ts';

/** A build whose guide mounts a route, where there is an application of Express. */
function login(name: string, anchor: string): ReturnType<typeof build> {
  const guide = `## Steps

1. Mount it:

   \`\`\`ts wire insert ${anchor} routes
   app.get('/me', (_req, res) => res.json({ text: 'hello' }));
   \`\`\`

## Verify

\`\`\`http expect
GET /me -> 200, text = "hello"
\`\`\`
`;
  const stack = { stack: { provides: ['auth'] } };
  return build(
    `a/${name}`,
    '1.0.0',
    { base: `src/${name}`, ...stack },
    { 'INTEGRATION.md': guide },
  );
}

/** Stands for the package: enough of Express for one route, without an install. */
const EXPRESS = `import { createServer } from 'node:http';
export default () => {
  const routes = new Map();
  return {
    get: (path, handler) => routes.set(path, handler),
    listen: (port) => createServer((req, res) => {
      const found = routes.get(req.url);
      if (found === undefined) return res.writeHead(404).end();
      found(req, { json: (value) => res.end(JSON.stringify(value)) });
    }).listen(port),
  };
};
`;

it('an agent takes the build that needs nothing by hand, applies its whole plan, and reads the proof', async () => {
  const git = new GitFixture();
  // Found first, and its step has no place in an application of Express.
  git.commit(login('accounts', '@hono'));
  git.commit(login('login', '@express'));
  const { url } = await serveRegistry(git);
  const project = makeProject({
    'package.json': JSON.stringify({
      name: 'app',
      type: 'module',
      dependencies: { express: '^5.0.0' },
      scripts: { start: 'node src/app.js' },
    }),
    'src/app.js': `import express from 'express';\n\nconst app = express();\napp.get('/', (_req, res) => res.json({}));\napp.listen(Number(process.env.PORT ?? 3000));\n`,
    'node_modules/express/package.json':
      '{ "name": "express", "version": "5.1.0", "type": "module", "exports": "./index.js" }',
    'node_modules/express/index.js': EXPRESS,
  });
  const session = await Session.open(project, url);
  const { calls, answer, commands } = await reach(session.client, 'auth');
  expect(calls).toEqual([
    'search provides fits',
    'plan action builds wire',
    'plan action builds wire',
    'plan action builds wire prove',
    'apply plan_hash',
  ]);
  expect(answer).toMatchObject({
    ok: true,
    data: { proof: { is_good: true, facts: expect.arrayContaining(['GET /me answered 200']) } },
  });
  expect(commands).toEqual([]);
  expect(readFileSync(join(project, 'src/app.js'), 'utf8')).toContain("app.get('/me'");
});
