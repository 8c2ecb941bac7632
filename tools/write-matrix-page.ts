/** Writes what the matrix has measured about our builds into docs/compatibility.md, whose other parts `npm run prove` writes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredRanges, withMeasuredRanges } from './prove/measured-ranges.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/compatibility.md');

writeFileSync(PAGE, withMeasuredRanges(readFileSync(PAGE, 'utf8'), measuredRanges(ROOT)));
