/** Do the manifest's `env` and the code agree? */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { isTestOrExamplePath } from '../../text/file-kind.ts';
import { variablesOf } from '../../evidence/fact-evidence.ts';
import { found } from '../../evidence/fact-finding.ts';
import { wordPattern, wordsOf } from '../../parse/word-list.ts';

/** Set by the platform or by convention, the same for every program. */
const CONVENTIONAL = wordPattern(/^WORDS$/, {
  'Node and npm': [/NODE_(?:ENV|OPTIONS|PATH|DEBUG)/, /npm_\w+/, 'INIT_CWD'],
  Python: [/PYTHON\w*/, 'VIRTUAL_ENV'],
  'runners of tests': ['CI', 'VITEST', 'JEST_WORKER_ID'],
  'where a server listens': ['PORT', 'HOST'],
  'the user and the shell (POSIX)': [
    /HOME|USER|USERNAME|LOGNAME|PATH|PWD|SHELL|EDITOR|VISUAL|HOSTNAME|XDG_\w+/,
  ],
  'folders for temporary files': ['TMP', 'TEMP', 'TMPDIR'],
  'time and language': ['TZ', /LANG\w*/, /LC_\w+/],
  output: ['DEBUG', /TERM\w*/, 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'],
  proxies: [/HTTPS?_PROXY/, 'NO_PROXY', /https?_proxy/, 'no_proxy'],
  Windows: wordsOf(['APPDATA LOCALAPPDATA USERPROFILE COMPUTERNAME SYSTEMROOT COMSPEC PATHEXT']),
});

export const env: Rule = {
  name: 'env',
  run: (build) => {
    const declared = build.manifest.env ?? {};
    const reads = build.taint.facts.filter(
      (f) => f.action === 'variable' && !isTestOrExamplePath(f.path),
    );
    const read = new Set(reads.flatMap(variablesOf));
    const reported = new Set<string>();
    const undeclared = reads.flatMap((fact): Finding[] => {
      const names = variablesOf(fact).filter((name) => {
        if (name === '*' || Object.hasOwn(declared, name) || isConventional(name)) return false;
        return !reported.has(name);
      });
      for (const name of names) reported.add(name);
      return names.map((name) => found(build, 'env-undeclared', fact, { name }));
    });
    // A computed name, text in another language, or a required build may be what reads a declared variable.
    const hasOthers = Object.keys(build.manifest.builds ?? {}).length > 0;
    const isOpen = hasOthers || read.has('*') || build.taint.unread.length > 0;
    const unread = Object.keys(declared).filter((name) => {
      return !isOpen && !read.has(name) && !isMentioned(build.files, name);
    });
    return [...undeclared, ...unread.map((name) => finding('env-unread', MANIFEST_FILE, { name }))];
  },
};

/** Whether any program may read the variable, so that no build needs to declare it. */
export function isConventional(name: string): boolean {
  return CONVENTIONAL.test(name);
}

/** Settings classes and configuration files derive the names of variables by rules of their own. */
function isMentioned(
  files: readonly { readonly path: string; readonly text: string | undefined }[],
  name: string,
): boolean {
  const pattern = new RegExp(`\\b${name.replaceAll(/\W/g, '')}\\b`, 'i');
  const texts = files
    .filter((f) => f.path !== MANIFEST_FILE && !/\.md$|(?:^|\/)\.env/.test(f.path))
    .flatMap((f) => f.text ?? []);
  // Most names are written as they are: a plain search finds the file for the slow pattern.
  return (
    texts.some((text) => text.includes(name) && pattern.test(text)) ||
    texts.some((text) => pattern.test(text))
  );
}
