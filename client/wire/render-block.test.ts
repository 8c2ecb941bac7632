import { describe, expect, it } from 'vitest';
import { readStyle } from './code-style.ts';
import { renderBlock } from './render-block.ts';

function render(text: string, like: string, more: object = {}): string[] | undefined {
  const block = { language: 'ts', verb: 'insert', target: '@express', text, line: 1 } as const;
  return renderBlock({
    block: { ...block, ...more },
    shipped: 'src/app.ts',
    path: 'src/app.ts',
    style: readStyle(like),
    application: 'server',
    rewrite: ({ text: same }) => same,
  });
}

describe('renderBlock()', () => {
  it.each([
    ["app.use('/a', x);\n", "import a from 'a';\n", ["server.use('/a', x);"]],
    ["app.use('/a', x);\n", 'import a from "a"\nf()\n', ['server.use("/a", x)']],
    ['f({ app, b: x.app });\n', 'import a from "a";\n', ['f({ app: server, b: x.app });']],
    [
      'if (a) {\n  app.use(x);\n}\n',
      'if (b) {\n\tc();\n}\n',
      ['if (a) {', '\tserver.use(x);', '}'],
    ],
    ['f("it\'s");\n', "import a from 'a';\n", ['f("it\'s");']],
  ])('writes %j as in %j', (text, like, lines) => {
    expect(render(text, like)).toEqual(lines);
  });

  it('gives imports the ending of the project', () => {
    const block = { verb: 'import', target: 'src/app.ts' };
    expect(render("import a from './a.js';\n", "import b from './b'\nf()\n", block)).toEqual([
      "import a from './a'",
    ]);
  });

  it('keeps a semicolon that the next line needs', () => {
    expect(render('f();\n[1].map(g);\n', 'import a from "a"\n')).toEqual(['f();', '[1].map(g)']);
  });

  it('is undefined for a block with a syntax error', () => {
    expect(render('app.use(;\n', '')).toBeUndefined();
  });
});
