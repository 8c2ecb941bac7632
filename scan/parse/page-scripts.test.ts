import { describe, expect, it } from 'vitest';
import { pageScripts } from './page-scripts.ts';

describe('pageScripts()', () => {
  it('keeps each script at its place', () => {
    const page = '<p>a</p><script type="text/javascript">b()</script><script>c()</SCRIPT>';
    const scripts = pageScripts('a.html', page) ?? '';
    for (const code of ['b()', 'c()']) expect(scripts.indexOf(code)).toBe(page.indexOf(code));
    expect(scripts.replaceAll(/\s/g, '')).toBe(';b();c()');
  });

  it.each([
    ['a.html', '<p>a</p>'],
    ['a.html', '<script src="a.js"></script>'],
    ['a.html', '<script type="application/json">{}</script>'],
    ['a.html', "<script type='text/template'><b></b></script>"],
    ['a.md', '<script>a()</script>'],
  ])('%s: %j has none', (path, text) => {
    expect(pageScripts(path, text)).toBeUndefined();
  });

  it('reads a script that nothing closes, and many of them in bounded time', () => {
    expect(pageScripts('a.htm', '<script>a()')?.trim()).toBe(';a()');
    expect(pageScripts('a.html', '<script>'.repeat(100_000))).toContain(';<script>');
  });
});
