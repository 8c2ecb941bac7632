import { expect, test } from 'vitest';
import { keptInMemory } from '../kept.ts';
import { Highlighter } from './highlighter.ts';

const highlighter = new Highlighter(keptInMemory());

test('lines() gives tokens classes and never styles', async () => {
  const lines = await highlighter.lines("const a = 'x'; // note\nf(1);", 'typescript');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('<span class="tk">const</span>');
  expect(lines[0]).toMatch(/<span class="ts">&#39;x&#39;<\/span>/);
  expect(lines[0]).toContain('<span class="tm">// note</span>');
  expect(lines.join('')).not.toContain('style');
});

test('lines() escapes markup, with and without a grammar', async () => {
  for (const language of ['html', undefined] as const) {
    const [line = ''] = await highlighter.lines('<script>alert(1)</script>', language);
    expect(line.replace(/<\/?span[^>]*>/g, '')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;');
  }
});

test('lines() shows characters that turn text around', async () => {
  const [line] = await highlighter.lines('a = "\u202E"', 'python');
  expect(line).toContain('<span class="hidden-character">U+202E</span>');
});

test('lines() gives the same from what is kept', async () => {
  const kept = keptInMemory();
  const code = 'def f():\n    return 1\n';
  const first = await new Highlighter(kept).lines(code, 'python');
  expect(await new Highlighter(kept).lines(code, 'python')).toEqual(first);
});

test.each([['x'.repeat(5_000)], ['x\n'.repeat(3_000)], ['line\n'.repeat(20_000)]])(
  'lines() leaves code beyond the limits without colours',
  async (code) => {
    const lines = await highlighter.lines(code, 'typescript');
    expect(lines.join('\n')).toBe(code);
  },
);
