/**
 * The picture of the home page and of README.md: a real run of `stackyard add`, in its colours.
 * `npx vitest run --project long tests/site/picture.long.test.ts -u` draws it again: look at it.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, stackyard } from '../client/registry-fixture.ts';
import { ourRegistry, projectEnvironment } from '../foundations/our-registry.ts';
import { escapeMarkup } from '../../generator/site/html.ts';

const PICTURE = join(import.meta.dirname, '../../generator/site/assets/plan.svg');
const registry = ourRegistry();

/** Pixels of a letter and of a line. */
const [CELL, LINE] = [8.4, 20];
const COLUMNS = 78;
/** ANSI codes of foregrounds, on a dark ground. */
const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff8f85',
  '32': '#6bd58a',
  '33': '#f0b458',
  '36': '#5fd3b4',
  '2': '#8c9aa3',
  '90': '#8c9aa3',
};

interface Run {
  readonly text: string;
  readonly code: string;
}

/** Text with its colour, cut at the width of the picture. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let [code, room] = ['', COLUMNS];
  // oxlint-disable-next-line no-control-regex -- codes of colours begin with it
  for (const part of line.split(/(\u001B\[\d+m)/)) {
    // oxlint-disable-next-line no-control-regex -- as above
    const [, next] = /^\u001B\[(\d+)m$/.exec(part) ?? [];
    if (next !== undefined) code = next;
    else if (part !== '' && room > 0) {
      const text = part.length > room ? `${part.slice(0, room - 1)}…` : part;
      runs.push({ text, code });
      room -= text.length;
    }
  }
  return runs;
}

function drawLine(line: string, row: number): string {
  let column = 0;
  const spans = runsOf(line).map(({ text: whole, code }) => {
    const text = whole.trim();
    // Viewers join spaces.
    const x = (20 + (column + whole.length - whole.trimStart().length) * CELL).toFixed(1);
    column += whole.length;
    if (text === '') return '';
    const colour = COLOURS[code] === undefined ? '' : ` fill="${COLOURS[code]}"`;
    const weight = code === '1' ? ' font-weight="700"' : '';
    return `<tspan x="${x}" textLength="${(text.length * CELL).toFixed(1)}" lengthAdjust="spacingAndGlyphs"${colour}${weight}>${escapeMarkup(text)}</tspan>`;
  });
  return `<text y="${34 + row * LINE}">${spans.join('')}</text>`;
}

function draw(lines: readonly string[]): string {
  const [width, height] = [Math.round(40 + COLUMNS * CELL), 48 + lines.length * LINE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>A run of stackyard add</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#0c1013" stroke="#3a474f"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e8edf0" xml:space="preserve">
${lines.map(drawLine).join('\n')}
</g>
</svg>
`;
}

/** With the first three files that it adds; dots stand for the others. */
function shortened(lines: readonly string[]): string[] {
  // oxlint-disable-next-line no-control-regex -- codes of colours begin with it
  const isFile = lines.map((line) => line.replaceAll(/\u001B\[\d+m/g, '').startsWith('  + '));
  const [from, to] = [isFile.indexOf(true) + 3, isFile.lastIndexOf(true) + 1];
  return [...lines.slice(0, from), '  ...', ...lines.slice(to)];
}

it('the picture of the home page is what stackyard add prints', async () => {
  const manifest = { name: 'shop', type: 'module', devDependencies: { typescript: '^7.0.2' } };
  const folder = makeProject({ 'package.json': JSON.stringify(manifest, null, 2) });
  const ended = await stackyard(
    ['add', 'stackyard/sqlite', '--no-install', '-C', folder],
    { ...(projectEnvironment() as Record<string, string>),
      NO_COLOR: '', FORCE_COLOR: '1', STACKYARD_REGISTRY: registry.url() }, // oxfmt-ignore
  );
  expect(ended).toMatchObject({ status: 0 });
  const output = ended.stdout.trimEnd().replaceAll(registry.url(), 'https://registry.example');
  const lines = [
    '\u001B[36m$\u001B[0m \u001B[1mstackyard add stackyard/sqlite --no-install\u001B[0m',
    ...shortened(output.split('\n').filter((line) => line !== '')),
  ];
  await expect(draw(lines)).toMatchFileSnapshot(PICTURE);
});
