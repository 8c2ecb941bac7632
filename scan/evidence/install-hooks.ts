/** What runs when a user installs the build: lifecycle scripts, and the files that they start. */
import { posix } from 'node:path';
import { once } from '../text/once.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';

/** Scripts that a package manager runs automatically. */
const HOOKS = [
  'preinstall',
  'install',
  'postinstall',
  'preuninstall',
  'prepare',
  'prepublish',
  'preprepare',
  'postprepare',
];

/** One script of a `package.json` or of the manifest. */
export interface Script {
  readonly file: ScannedFile;
  readonly name: string;
  readonly command: string;
  readonly isHook: boolean;
  /** Where the command is in the file's text. */
  readonly at: number;
}

/** Every script of the build's `package.json` files and of its manifest. */
export function scriptsOf(build: ScannedBuild): readonly Script[] {
  return knownScripts(build);
}

/** Paths of the files that run at install, and of those that these import. */
export function filesAtInstall(build: ScannedBuild): ReadonlySet<string> {
  return knownFiles(build);
}

const knownScripts = once(findScripts);
const knownFiles = once(findFilesAtInstall);

function findScripts(build: ScannedBuild): Script[] {
  const found: Script[] = [];
  for (const file of build.files) {
    if (!/(?:^|\/)(?:package|stackyard)\.json$/.test(file.path) || file.text === undefined)
      continue;
    let scripts: unknown;
    try {
      scripts = (JSON.parse(file.text) as { scripts?: unknown } | null)?.scripts;
    } catch {
      continue;
    }
    if (typeof scripts !== 'object' || scripts === null) continue;
    for (const [name, command] of Object.entries(scripts)) {
      if (typeof command !== 'string') continue;
      const at = Math.max(
        0,
        file.text.indexOf(JSON.stringify(name), file.text.indexOf('"scripts"')),
      );
      found.push({ file, name, command, isHook: HOOKS.includes(name), at });
    }
  }
  return found;
}

function findFilesAtInstall(build: ScannedBuild): Set<string> {
  const paths = new Set(build.files.map((f) => f.path));
  const reached = new Set<string>();
  const add = (path: string): void => {
    const tried = [path, `${path}.js`, `${path}.cjs`, `${path}.mjs`, posix.join(path, 'index.js')];
    const found = tried.find((p) => paths.has(p));
    if (found !== undefined) reached.add(found);
  };
  for (const { file, command, isHook } of scriptsOf(build)) {
    if (!isHook) continue;
    const folder = posix.dirname(file.path);
    for (const [, word] of command.matchAll(
      /(?:^|[\s"'=])((?:\.{0,2}\/)?[\w@.-]{1,80}(?:\/[\w@.-]{1,80}){0,9})/g,
    )) {
      if (word !== undefined && !/^(?:node|npm|npx|sh|bash)$/.test(word))
        add(posix.join(folder, word));
    }
  }
  for (const path of paths) {
    if (/(?:^|\/)(?:setup\.py|binding\.gyp)$/.test(path)) reached.add(path);
  }
  // What they import runs too.
  for (const { action, path, operand } of build.taint.facts) {
    if (action !== 'load' || !reached.has(path)) continue;
    for (const text of operand.texts) {
      if (text.startsWith('.')) add(posix.join(posix.dirname(path), text));
    }
  }
  return reached;
}
