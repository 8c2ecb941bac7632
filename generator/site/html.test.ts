import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkup, html, trusted, codeText } from './html.ts';
import { plain, withUnixLines } from './visible-text.ts';

test('html escapes every value that is not markup', () => {
  const inner = html`<b title="${'"'}">${'<i>'}</b>`;
  expect(html`<p>${inner}${[inner, '&']}${undefined}${false}${7}</p>`.toString()).toBe(
    '<p><b title="&quot;">&lt;i&gt;</b><b title="&quot;">&lt;i&gt;</b>&amp;7</p>',
  );
  expect(html`${trusted('<hr>')}`.toString()).toBe('<hr>');
});

test('no text leaves a template or escapeMarkup() as markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(html`${text}`.toString()).not.toMatch(/[<>"']/);
      expect(escapeMarkup(text)).not.toMatch(/[<>"']/);
    }),
  );
});

test('plain() shows what is invisible', () => {
  expect(plain('a\u202Eb')).toBe('a[U+202E]b');
});

test('codeText() escapes code and names what is invisible', () => {
  expect(codeText('<a>\u202E')).toBe('&lt;a&gt;<span class="hidden-character">U+202E</span>');
});

test('withUnixLines() has one kind of line end', () => {
  expect(withUnixLines('a\r\nb\rc\n')).toBe('a\nb\nc\n');
});
