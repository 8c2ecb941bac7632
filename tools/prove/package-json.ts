/** What projects of npm that are proved have in common. */

/** Without the scripts of packages, as our client installs. */
export const NPM_INSTALL = 'npm install --ignore-scripts';

export const VITEST_IMPORT = `import { expect, test } from 'vitest';\n`;

/** The text of a package.json. */
export function packageJson(name: string, content: object): string {
  return `${JSON.stringify({ name, version: '1.0.0', private: true, ...content }, null, 2)}\n`;
}
