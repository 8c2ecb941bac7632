import { describe, expect, it } from 'vitest';
import { formatAnchor } from '../../format/wiring/wire-info.ts';
import { parseAnchorText } from './anchor-text.ts';

describe('parseAnchorText()', () => {
  it.each(['routes', 'list:$x', 'list:ROUTES', 'routers:app'])('reads %j', (text) => {
    expect(formatAnchor(parseAnchorText(text)!)).toBe(text);
  });

  it.each([undefined, '', 'other:x', 'toString'])('is undefined for %j', (text) => {
    expect(parseAnchorText(text)).toBeUndefined();
  });
});
