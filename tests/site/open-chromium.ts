import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { isProgram } from '../../client/project/find-program.ts';

/**
 * Starts the Chromium of the system.
 * @throws when there is none: a test of pages must not end without one
 */
export function openChromium(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const file = folders.map((folder) => join(folder, 'chromium')).find(isProgram);
  if (file === undefined) {
    throw new Error('Cannot find program "chromium", which opens pages: run node tools/provide.ts');
  }
  return chromium.launch({
    executablePath: file,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    timeout: 120_000,
  });
}
