import { expect, it } from 'vitest';
import { IMAGE_WEIGHTS, imageFonts } from './image-font.ts';

it('imageFonts() are read once: the renderer keeps what it parsed by this list', () => {
  const fonts = imageFonts();
  expect(fonts.map(({ weight }) => weight)).toEqual(IMAGE_WEIGHTS);
  expect(fonts.every(({ data }) => data.toString('latin1', 0, 4) === 'wOFF')).toBe(true);
  expect(imageFonts()).toBe(fonts);
});
