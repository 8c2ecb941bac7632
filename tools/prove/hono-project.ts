/** A server on Hono, as its documentation shows it for Node.js: `create-hono` fetches the same from the host of its code. */
import { NPM_INSTALL, VITEST_IMPORT, packageJson } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';

const APP = `import { Hono } from 'hono'

export const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})
`;

const INDEX = `import { serve } from '@hono/node-server'
import { app } from './app.js'

serve({
  fetch: app.fetch,
  port: 3000
}, (info) => {
  console.log(\`Server is running on http://localhost:\${info.port}\`)
})
`;

const APP_TEST = `${VITEST_IMPORT}import { app } from './app.js'

test('GET /', async () => {
  const res = await app.request('/')
  expect(res.status).toBe(200)
  expect(await res.text()).toBe('Hello Hono!')
})
`;

const APP_WITH_NOTES = `import { Hono } from 'hono'
import { openDatabase } from './sqlite/index.js'

const db = openDatabase(':memory:', {
  migrations: [{ id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' }],
})

export const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})
app.get('/notes', (c) => c.json(db.prepare('SELECT text FROM notes').all()))
app.post('/notes', async (c) => {
  const { text } = await c.req.json<{ text: string }>()
  db.prepare('INSERT INTO notes (text) VALUES (?)').run(text)
  return c.body(null, 201)
})
`;

const ACCOUNT_TEST = `${VITEST_IMPORT}import { app } from './app.js'

const headers = { 'Content-Type': 'application/json' }
const body = JSON.stringify({ email: 'a@example.com', password: '12345678' })
const post = (path: string, body: string) => app.request(path, { method: 'POST', headers, body })

test('registers, logs in and returns the account', async () => {
  const registered = await post('/auth/register', body)
  expect(registered.status).toBe(201)
  const { token } = await registered.json() as { token: string }
  const me = await app.request('/auth/me', { headers: { Authorization: \`Bearer \${token}\` } })
  expect(me.status).toBe(200)
  expect((await post('/auth/register', body)).status).toBe(409)
  expect((await post('/auth/login', body)).status).toBe(200)
  expect((await post('/auth/login', '{"email":')).status).toBe(400)
}, 120_000)
`;

const NOTES_TEST = `${VITEST_IMPORT}import { app } from './app.js'

test('keeps notes', async () => {
  const body = JSON.stringify({ text: 'one' })
  expect((await app.request('/notes', { method: 'POST', body })).status).toBe(201)
  expect(await (await app.request('/notes')).json()).toEqual([{ text: 'one' }])
})
`;

export const HONO: ProjectKind = {
  name: 'Hono, ES modules, vitest',
  made: 'by hand after the template `nodejs` of `create-hono`, which that program fetches from another host; vitest added',
  files: {
    'package.json': packageJson('hono-app', {
      type: 'module',
      scripts: {
        dev: 'tsx watch src/index.ts',
        build: 'tsc',
        start: 'node dist/index.js',
        test: 'vitest run',
      },
      dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.13.0' },
      devDependencies: {
        '@types/node': '^24.0.0',
        tsx: '^4.20.0',
        typescript: '^5.9.3',
        vitest: '^4.0.0',
      },
    }),
    'tsconfig.json': `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "NodeNext",
    "strict": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "types": ["node"],
    "jsx": "react-jsx",
    "jsxImportSource": "hono/jsx",
    "outDir": "./dist"
  },
  "exclude": ["node_modules"]
}
`,
    'src/app.ts': APP,
    'src/index.ts': INDEX,
    'src/app.test.ts': APP_TEST,
  },
  install: [NPM_INSTALL],
  typeCheck: 'npx tsc --noEmit',
  test: 'npm test',
  trials: [
    {
      build: 'stackyard/sqlite',
      uses: [
        {
          what: 'notes in routes',
          files: { 'src/app.ts': APP_WITH_NOTES, 'src/notes.test.ts': NOTES_TEST },
          command: 'npx tsc --noEmit && npm test',
        },
      ],
    },
    {
      build: 'stackyard/account-hono',
      uses: [
        {
          what: 'accounts in routes, wired by the client',
          wire: ['stackyard/sqlite', 'stackyard/account-hono'],
          files: { 'src/account.test.ts': ACCOUNT_TEST },
          command: 'npx tsc --noEmit && npm test',
        },
      ],
    },
  ],
};
