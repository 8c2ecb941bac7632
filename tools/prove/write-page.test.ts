import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { writePage } from './projects-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'stackyard-page-'));
const page = join(folder, 'page.md');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('writePage() compares all but times, and writes all', () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  writeFileSync(page, '| 3 passed | 1.2 s |\n');
  expect(writePage(page, '| 3 passed | 10.4 s |\n', true)).toBe(true);
  expect(report).not.toHaveBeenCalled();
  expect(writePage(page, '| 4 passed | 1.2 s |\n', true)).toBe(false);
  expect(report).toHaveBeenCalledOnce();
  expect(readFileSync(page, 'utf8')).toBe('| 3 passed | 1.2 s |\n');
  expect(writePage(page, '| 3 passed | 10.4 s |\n', false)).toBe(true);
  expect(readFileSync(page, 'utf8')).toBe('| 3 passed | 10.4 s |\n');
  report.mockRestore();
});
