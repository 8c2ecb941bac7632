import { describe, expect, it } from 'vitest';
import { gainedBy } from './gained-capabilities.ts';
import type { WiredText } from './gained-capabilities.ts';

const at = (verb: WiredText['verb'], text: string, file = 'src/app.ts'): WiredText => ({
  verb,
  file,
  text,
});

describe('gainedBy()', () => {
  const RUN = at('insert', "spawn('sh', ['-c', 'id']);");
  const IMPORT = at('import', "import { spawn } from 'node:child_process';");
  it.each<[string, WiredText[], WiredText[], string[]]>([
    ['nothing for the same text', [IMPORT, RUN], [IMPORT, RUN], []],
    ['nothing for less', [IMPORT, RUN], [IMPORT], []],
    ['what a statement does with an import of another step', [IMPORT], [RUN, IMPORT], ['start sh']],
    [
      'what a file does',
      [],
      [at('file', 'fetch(process.env.URL!)', 'src/a.ts')],
      ['send data to any address', 'read the variable URL'],
    ],
    [
      'what a file does that is called a test',
      [],
      [at('file', "fetch('https://a.io')", 'src/a.test.ts')],
      ['send data to a.io'],
    ],
    [
      'what lines do',
      [],
      [at('lines', "fetch('https://a.io')", 'src/a.ts')],
      ['send data to a.io'],
    ],
    [
      'what a value does, without its commas',
      [],
      [at('append', ',\n  { key: readKey(process.env.KEY) }', 'src/a.ts')],
      ['read the variable KEY'],
    ],
    [
      'what Python does',
      [],
      [at('insert', "import os\nos.system('id')", 'app/main.py')],
      ['start id'],
    ],
    [
      'code that cannot be read',
      [],
      [at('insert', 'app.use(;')],
      ['run code that was not read: app.ts'],
    ],
    [
      'code that cannot be read, although it could not before',
      [at('insert', 'a(;')],
      [at('insert', 'b(;')],
      ['run code that was not read: app.ts'],
    ],
    ['nothing for text that is no code', [], [at('lines', 'data/', '.gitignore')], []],
  ])('is %s', (_, before, after, gains) => {
    expect(gainedBy(before, after)).toEqual(gains);
  });
});
