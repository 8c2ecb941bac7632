import { describe, expect, it } from 'vitest';
import { DeletedModules, withoutExampleLines } from './left-out.ts';

function without(text: string): string {
  return Buffer.from(withoutExampleLines(Buffer.from(text))).toString();
}

describe('withoutExampleLines()', () => {
  it.each([
    ["import { a } from './a.js'; // example\nexport {};\n", 'export {};\n'],
    ['a = 1\nb = 2  # example\r\nc = 3\n', 'a = 1\nc = 3\n'],
    ['- one\n- two <!-- example -->\n', '- one\n'],
    ['last // example', ''],
    ['// example of use\n', '// example of use\n'],
    ['// an example\n', '// an example\n'],
    ['const text = "# examples";\n', 'const text = "# examples";\n'],
  ])('%j', (text, expected) => {
    expect(without(text)).toBe(expected);
  });

  it('leaves what is not text', () => {
    const bytes = Buffer.from('a // example\n\0');
    expect(withoutExampleLines(bytes)).toBe(bytes);
  });
});

describe('DeletedModules', () => {
  const deleted = new DeletedModules(['src/example/router.ts', 'app/example/routes.py']);
  const IMPORT = "import { createRouter as example } from './example/router.js';\n";
  const USE = "  { prefix: '/example', router: example() },\n";
  const strip = (path: string, ours: string | undefined, theirs: string): string => {
    const bytes = ours === undefined ? undefined : Buffer.from(ours);
    return Buffer.from(
      deleted.strip(path, bytes, undefined, Buffer.from(theirs)).theirs,
    ).toString();
  };

  it('takes imports of deleted modules and the lines with their names out of new versions', () => {
    expect(
      strip('src/routes.ts', 'const all = [\n];\n', `${IMPORT}const all = [\n${USE}];\n`),
    ).toBe('const all = [\n];\n');
    expect(strip('src/routes.ts', undefined, `${IMPORT}export {};\n`)).toBe('export {};\n');
    const python = 'from app.example.routes import router\nadd(router)\nadd(other)\n';
    expect(strip('app/main.py', 'add(other)\n', python)).toBe('add(other)\n');
  });

  it('leaves a file in which the project still has such a line, and other files', () => {
    const text = `${IMPORT}const all = [\n${USE}];\n`;
    expect(strip('src/routes.ts', 'const all = [example()];\n', text)).toBe(text);
    expect(strip('src/in/routes.ts', undefined, text)).toBe(text);
  });
});
