import { expect, it } from 'vitest';
import { readmeHeadings } from './record.ts';

it('readmeHeadings() has the titles that say something about a build', () => {
  const readme = `# alice/web\n\n## Usage\n\n## Webhooks with *retries*\n\n\`\`\`md\n## No heading\n\`\`\`\n\nSigned URLs\n---\n\n### How it works\n\n## Webhooks with *retries*\n`;
  expect(readmeHeadings(readme)).toEqual(['Webhooks with *retries*', 'Signed URLs']);
});

it('readmeHeadings() is short, whatever the text', () => {
  const headings = readmeHeadings(`## ${'𠮷'.repeat(500)}\n\n`.repeat(3) + many(500));
  expect(headings).toHaveLength(12);
  expect(headings[0]).toBe('𠮷'.repeat(80));
  expect(readmeHeadings('')).toEqual([]);
});

function many(count: number): string {
  return Array.from({ length: count }, (_, at) => `## Title ${at}\n\n`).join('');
}
