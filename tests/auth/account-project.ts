// A project of a user before the module is installed.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Packages = Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>;

/** Writes a project with this entry file, `src/server.ts`. */
export function writeProject(project: string, packages: Packages, server: string): void {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    rootDir: 'src',
    outDir: 'dist',
  };
  const files = {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', ...packages }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/server.ts': server,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}
