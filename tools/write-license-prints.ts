/** Writes the prints of the SPDX licence texts that the check `license-file` compares with; `--check` only compares. */
import { createRequire } from 'node:module';
import { formatPrint, licensePrint } from '../scan/package/license-print.ts';
import { runUpdate } from './generated-file.ts';

const require = createRequire(import.meta.url);

function prints(): string {
  const list = require('spdx-license-list/full') as Record<
    string,
    { readonly licenseText: string }
  >;
  const { version } = require('spdx-license-list/package.json') as { readonly version: string };
  const entries = Object.entries(list).filter(([, { licenseText }]) => licenseText.length > 100);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const table = Object.fromEntries(
    sorted.map(([id, { licenseText }]) => [id, formatPrint(licensePrint(licenseText))]),
  );
  return `${JSON.stringify({ origin: `spdx-license-list ${version}`, prints: table }, null, 2)}\n`;
}

if (import.meta.main) {
  runUpdate(
    [{ path: 'scan/package/license-prints.json', text: prints() }],
    'node tools/write-license-prints.ts',
  );
}
