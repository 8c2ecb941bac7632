/**
 * Code that starts automatically: install scripts, settings of package managers, editors and coding agents,
 * and the files that Python loads automatically.
 */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { collisionKey } from '../../../format/build/file-path.ts';
import { at, finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { installScriptKind, type ScriptKind } from '../../autorun/install-script.ts';
import { findString, readJsonObject, stringEntries } from '../../text/json-text.ts';
import { isInstallScript } from '../../text/lifecycle.ts';
import { autorunEntries } from '../../autorun/autorun.ts';
import type { AutorunEntry } from '../../autorun/entry.ts';
import { findShellDangers } from '../../shell/find-dangers.ts';
import { quote } from '../../text/quote.ts';

const LEVELS: Readonly<Record<ScriptKind, FindingLevel>> = {
  tool: 'info',
  own: 'warn',
  inline: 'warn',
  fetch: 'error',
};
const DOES: Readonly<Record<ScriptKind, string>> = {
  tool: 'starts build tools',
  own: 'runs code of the build',
  inline: 'runs code in the script itself',
  fetch: 'goes to the network',
};

export const autoRun: Rule = {
  name: 'auto-run',
  run: ({ files }) =>
    files.flatMap((file) => {
      const path = collisionKey(file.path);
      if (path === MANIFEST_FILE || path.endsWith('package.json')) return installScripts(file);
      const text = file.text ?? '';
      return autorunEntries(path, text).map((entry) => toFinding(file, text, entry));
    }),
};

function installScripts(file: ScannedFile): Finding[] {
  const { text, path } = file;
  if (text === undefined || !/(?:^|\/)(?:package|stackyard)\.json$/i.test(path)) return [];
  const entries = stringEntries(readJsonObject(text)?.['scripts']);
  const scripts = Object.fromEntries(entries);
  return entries
    .filter(([name]) => isInstallScript(name))
    .map(([name, script]) => {
      const kind = installScriptKind(name, scripts);
      const args = { script: name, does: DOES[kind], text: quote(script) };
      const start = findString(text, name, script);
      return at(
        finding('auto-run-script', path, args, levelOf(name, kind, path)),
        file.place(start, script.length),
      );
    });
}

/** `prepare` runs only when the build is the project itself, after its code was fetched on purpose. */
function levelOf(name: string, kind: ScriptKind, path: string): FindingLevel {
  if (kind === 'fetch') return isTestPath(path) ? 'warn' : 'error';
  if (name.endsWith('prepare') || isTestPath(path)) return kind === 'inline' ? 'warn' : 'info';
  return LEVELS[kind];
}

function toFinding(
  file: ScannedFile,
  text: string,
  { what, when, level, shell, near }: AutorunEntry,
): Finding {
  const isDangerous =
    shell !== '' &&
    findShellDangers(shell).some(({ kind }) => kind !== 'inline' && kind !== 'fetch');
  const args = { what: quote(what, 80), when, text: shell === '' ? '' : quote(shell) };
  // Nothing in a folder of tests runs automatically, whatever its name.
  const usual = level === 'warn' && isTestPath(file.path) ? 'info' : level;
  const found = finding('auto-run-file', file.path, args, isDangerous ? 'error' : usual);
  const start = near === '' ? -1 : text.indexOf(near);
  return start === -1 ? found : at(found, file.place(start, near.length));
}
