/** Steps of INTEGRATION.md that an agent cannot follow: missing files, undeclared variables. */
import { posix } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { INTEGRATION_FILE } from '../../../format/build/build-files.ts';
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, type Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { markdownParts } from '../../text/markdown.ts';
import { quote } from '../../text/quote.ts';

const MAX_FINDINGS = 20;
/** Paths, and variables, that are looked for in all files. */
const MAX_READ = 500;
const LINK = /\]\(\.{0,2}\/?([\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,9})(?:#[^)\s]{0,100})?\)/g;
const PATH = /^(?:\.\/)?((?:[\w@.-]{1,100}\/){1,9}[\w@.-]{1,100}\.[a-z]{1,5})$/;
const VARIABLE = /^([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})(?:=.{0,200})?$/;

export const integrationStep: Rule = {
  name: 'integration-step',
  run: (build) => {
    const file = build.files.find(({ path }) => path === INTEGRATION_FILE);
    if (file?.text === undefined) return [];
    const spans = markdownParts(file).filter(({ kind }) => kind === 'span');
    const paths = [
      ...Array.from(file.text.matchAll(LINK), (match) => ({
        path: match[1]!,
        start: match.index + 2,
      })),
      ...spans.flatMap(({ text, start }) => {
        const path = PATH.exec(text.trim())?.[1];
        return path === undefined ? [] : [{ path, start }];
      }),
    ];
    const variables = spans.flatMap(({ text, start }) => {
      const name = VARIABLE.exec(text.trim())?.[1];
      return name === undefined ? [] : [{ name, start, isSet: false }];
    });
    variables.push(...environmentLines(file));
    const missing = [
      ...missingFiles(build, file, paths.slice(0, MAX_READ)),
      ...missingVariables(build, file, variables.slice(0, MAX_READ)),
    ];
    return missing.slice(0, MAX_FINDINGS);
  },
};

/** `NAME=value` in a fence of environment variables. */
function environmentLines(file: ScannedFile): { name: string; start: number; isSet: boolean }[] {
  return markdownParts(file)
    .filter(({ kind, language }) => kind === 'fence' && /^(?:env|dotenv)$/.test(language))
    .flatMap((fence) =>
      Array.from(fence.text.matchAll(/^([A-Z][A-Z0-9_]{1,80})=/gm), (match) => {
        return { name: match[1] ?? '', start: fence.start + match.index, isSet: true };
      }),
    );
}

/** Only files that the build itself would place: others belong to the project. */
function missingFiles(
  build: ScannedBuild,
  file: ScannedFile,
  paths: readonly { path: string; start: number }[],
): Finding[] {
  const base = build.manifest.base ?? '';
  const own = new Set(build.files.map(({ path }) => path));
  const folders = new Set(build.files.map(({ path }) => posix.dirname(path)));
  const reported = new Set<string>();
  return paths.flatMap(({ path, start }) => {
    const inBuild = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
    const isOurs = inBuild !== path || folders.has(posix.dirname(inBuild));
    if (
      !isOurs ||
      own.has(inBuild) ||
      folders.has(inBuild) ||
      reported.has(path) ||
      isSourceOf(inBuild, own)
    )
      return [];
    // In a module without `base` a file of the same folder may belong to the project.
    if (
      inBuild === path &&
      !build.files.some(
        ({ path: other }) =>
          posix.dirname(other) === posix.dirname(path) && posix.dirname(other) !== '.',
      )
    )
      return [];
    reported.add(path);
    const args = { path: quote(path) };
    return [findingIn(file, 'integration-step-file', args, start, path.length)];
  });
}

/** `x.js` in an import is `x.ts` on disk. */
function isSourceOf(path: string, own: ReadonlySet<string>): boolean {
  return ['.ts', '.tsx', '.mts', '.cts'].some((extension) =>
    own.has(path.replace(/\.[mc]?jsx?$/, extension)),
  );
}

/** Variables of the project or its runtime are ignored: only misspelt declared ones, and those to be set, count. */
function missingVariables(
  build: ScannedBuild,
  file: ScannedFile,
  variables: readonly { name: string; start: number; isSet: boolean }[],
): Finding[] {
  const declared = Object.keys(build.manifest.env ?? {});
  const reported = new Set(declared);
  return variables.flatMap(({ name, start, isSet }) => {
    const isSlip = declared.some((known) => distance(known, name) <= 2);
    const isKnown =
      reported.has(name) ||
      build.files.some(
        ({ path, text }) => path !== INTEGRATION_FILE && text?.includes(name) === true,
      );
    if (isKnown || (!isSet && !isSlip)) return [];
    reported.add(name);
    return [findingIn(file, 'integration-step-variable', { name }, start, name.length)];
  });
}
