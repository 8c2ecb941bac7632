import { expect, test } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { wiring } from '../../scan/rules/content/wiring.ts';
import { openBuild } from '../../scan/open-build.ts';
import { guessWiring } from './guess-wiring.ts';

const MANIFEST: Manifest = {
  name: 'hello',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
  base: 'src/hello',
};

function guess(path: string, text: string, manifest = MANIFEST): string | undefined {
  return guessWiring([{ path, bytes: Buffer.from(text) }], manifest);
}

test.each([
  ['index.ts', 'export const router = Router();', '@express', "app.use('/hello', router);\n"],
  [
    'index.ts',
    'export const router: Router = express.Router();',
    '@express',
    "app.use('/hello', router);\n",
  ],
  [
    'http/index.ts',
    'export function mountHello(app: Express, x = 1) {',
    '@express',
    'mountHello(app);\n',
  ],
  ['index.ts', 'export const hello = new Hono();', '@hono', "app.route('/hello', hello);\n"],
  [
    'router.py',
    'router = APIRouter()',
    '@fastapi',
    'app.include_router(hello_router, prefix="/hello")\n',
  ],
])('guessWiring() of %s %j', (path, text, role, insert) => {
  const steps = guess(path, text)!;
  const guide = `## Steps\n\n${steps}\n`;
  const { steps: read, findings } = parseWiring(guide);
  expect(findings).toEqual([]);
  const [imports, block] = read[0]!.alternatives[0]!;
  expect([imports!.verb, imports!.target, block!.text]).toEqual(['import', role, insert]);
  const files = { 'INTEGRATION.md': guide, [path]: text };
  const list = Object.entries(files).map(([name, content]) => {
    return { path: name, bytes: Buffer.from(content), executable: false };
  });
  expect(wiring.run(openBuild({ id: 'a/hello', manifest: MANIFEST, files: list }))).toEqual([]);
});

test('guessWiring() shows a middleware in an ordinary fence: its place is in front of routes', () => {
  const text = 'export function guard(req: Request, res: Response, next: NextFunction) {}';
  const steps = guess('index.ts', text);
  expect(steps).toContain('app.use(guard);');
  expect(parseWiring(`## Steps\n\n${steps}\n`).steps).toEqual([]);
});

test.each([
  ['index.ts', 'export const one = 1;', MANIFEST],
  ['index.test.ts', 'export const router = Router();', MANIFEST],
  ['index.ts', 'export const a = Router();\nexport const b = new Hono();', MANIFEST],
  ['index.ts', 'export const router = Router();', { ...MANIFEST, kind: 'foundation' as const }],
])('guessWiring() of %s %j is undefined', (path, text, manifest) => {
  expect(guess(path, text, manifest)).toBeUndefined();
});
