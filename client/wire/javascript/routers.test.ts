import { describe, expect, it } from 'vitest';
import { Routers } from './routers.ts';
import { listOf, readTree } from './tree.ts';

const FILES: Readonly<Record<string, string>> = {
  './users': 'export const users = Router();',
  './all': "export { users } from './users';",
  './log': 'export const log = (q, s, next) => next();',
};
const routers = new Routers({
  read: (_, name) =>
    FILES[name] === undefined ? undefined : { path: `${name}.ts`, text: FILES[name] },
});

describe('Routers', () => {
  it.each([
    ["import { users } from './users'; f(users);", './users'],
    ["import { users } from './all'; f(users);", './all'],
    ["import { log } from './log'; f(log);", undefined],
    ["import cors from 'cors'; f(cors());", undefined],
    ['const r = express.Router(); f(r);', ''],
    ["f(require('./users').users);", './users'],
    ['const a = a; f(a);', undefined],
  ])('moduleOf(): %s', (text, expected) => {
    const tree = readTree('a.ts', text)!;
    const call = tree.nodes.find(
      (node) => node.type === 'CallExpression' && text.startsWith('f(', node.start),
    );
    expect(routers.moduleOf(tree, listOf(call, 'arguments')[0])).toBe(expected);
  });

  it('importedBy() follows imports', () => {
    expect([...routers.importedBy('a.ts', "import x from './all';")]).toEqual([
      './all.ts',
      './users.ts',
    ]);
  });
});
