import { expect, test } from 'vitest';
import { languageOfFence, languageOfFile } from './language.ts';

test.each([
  ['src/index.ts', 'typescript'],
  ['Dockerfile', undefined],
  ['a/.env.example', 'dotenv'],
  ['README.md', 'markdown'],
  ['LICENSE', undefined],
  ['photo.png', undefined],
  ['constructor', undefined],
])('languageOfFile(%j) is %j', (path, expected) => {
  expect(languageOfFile(path)).toBe(expected);
});

test.each([
  ['ts', 'typescript'],
  ['TypeScript file=x', 'typescript'],
  [' sh', 'shellscript'],
  ['', undefined],
  ['__proto__', undefined],
  ['unknown', undefined],
])('languageOfFence(%j) is %j', (info, expected) => {
  expect(languageOfFence(info)).toBe(expected);
});
