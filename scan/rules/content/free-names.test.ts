import { expect, test } from 'vitest';
import { freeNames } from './free-names.ts';
import { readSyntax } from '../../parse/syntax.ts';

test.each([
  ['a.ts', 'mount(app);', ['mount', 'app']],
  ['a.ts', "import { mount as m } from 'x'; m(process.env, { key: 1, [k]: 2 })", ['k']],
  [
    'a.ts',
    'const { a, b: { c = d } } = e; function f(x: T, ...r: U[]) { return a + c + x + r }',
    ['e'],
  ],
  ['a.ts', 'try { t } catch (error) { error } for (const i of all) i.j', ['t', 'all']],
  ['a.ts', 'interface A { b: C } type D = E; const x = y as F;', ['y']],
  ['a.ts', 'interface App { use(path: string): (next: Next) => unknown }; let a: App;', []],
  ['a.ts', 'type A<T> = (b: B) => T extends infer U ? U : never; class C implements D<E> {}', []],
  [
    'a.ts',
    'declare function f(a: A): asserts a is B; enum E { F = g } f<H>(i satisfies J)',
    ['g', 'i'],
  ],
  ['a.ts', '({ prefix, router: account.router })', ['prefix', 'account']],
  ['a.js', 'label: for (;;) break label', []],
  ['a.py', 'app.include_router(r, prefix=p)', ['app', 'r', 'p']],
  [
    'a.py',
    'from x import r as router\ndef f(a):\n    for i in a:\n        print(i, router, c)\n',
    ['c'],
  ],
])('freeNames() of %s %j', (path, text, names) => {
  expect(freeNames(readSyntax(path, text), text).map(({ name }) => name)).toEqual(names);
});
