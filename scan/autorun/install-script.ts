/** What an install script of a `package.json` does: starts tools, runs code of the build, or goes to the network. */
import { wordsOf } from '../parse/word-list.ts';
import { parseShell } from '../shell/parse-shell.ts';
import { inlineCode, isFetcher, programOf } from '../shell/shell-program.ts';
import { inlineTraits } from '../shell/shell-danger.ts';

/** `tool`: known tools alone. `own`: runs code of the build. `inline`: code in the script. `fetch`: goes to the network. */
export type ScriptKind = 'tool' | 'own' | 'inline' | 'fetch';

/** Tools that only build, check or set up when a package is installed. */
const TOOLS = new Set(
  (
    'node-gyp node-gyp-build node-pre-gyp prebuild-install prebuildify cmake-js napi-postinstall husky is-ci lefthook simple-git-hooks yorkie ' +
    'patch-package postinstall-postinstall opencollective opencollective-postinstall tsc tsup rollup vite webpack esbuild swc babel unbuild parcel ' +
    'prisma electron-builder electron-rebuild ngcc nuxt nuxi next wxt svelte-kit playwright puppeteer lerna turbo nx changeset eslint prettier biome ' +
    'oxlint vitest jest mocha ava tap nyc c8 rimraf del-cli mkdirp cpy cpx copyfiles shx mkdir cp mv rm test [ echo true false exit cd make cmake ' +
    'cross-env-shell dotenv ts-patch graphql-codegen buf typedoc microbundle aegir xo standard gulp grunt bower cargo wasm-pack ncc ts-node-dev pinst ' +
    'only-allow npx-only-allow check-node-version auto-changelog release-it np git-cz skott knip publint attw size-limit tshy pkgroll bunchee zshy obuild ' +
    'husky-init is-ci-cli in-publish not-in-publish safe-publish-latest aud evalmd npmignore ls-engines conditional-type-checks dumi father ice git lint-staged'
  ).split(' '),
);
const MANAGERS = new Set(
  wordsOf([
    'npm pnpm yarn bun npx pnpx bunx run-s run-p npm-run-all wireit node-modules-run',
    'npm-run-all2',
  ]),
);
const MAX_FOLLOWED = 8;

/** The kind of the script `name` of `scripts`; scripts that it runs by name are followed. */
export function installScriptKind(
  name: string,
  scripts: Readonly<Record<string, string>>,
  depth = 0,
): ScriptKind {
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (text === undefined || depth > MAX_FOLLOWED) return 'tool';
  return worst(
    parseShell(text.slice(0, 20_000))
      .flat()
      .map((command): ScriptKind => {
        const program = programOf(command);
        if (program === undefined) return 'tool';
        if (isFetcher(program.name)) return 'fetch';
        const code = inlineCode(program);
        if (code !== undefined) return inlineKind(code.text);
        if (MANAGERS.has(program.name))
          return managed(
            program.args.map((word) => word.text),
            scripts,
            depth,
          );
        if (TOOLS.has(program.name)) return 'tool';
        return 'own';
      }),
  );
}

/** Inline code that only requires a file of the build is the build's own code. */
function inlineKind(code: string): ScriptKind {
  const { network, execution, hiding } = inlineTraits(code);
  if (network || hiding) return 'fetch';
  return execution || code.length > 200 ? 'inline' : 'own';
}

function managed(
  args: readonly string[],
  scripts: Readonly<Record<string, string>>,
  depth: number,
): ScriptKind {
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (first === 'run' || first === 'run-script')
    return installScriptKind(second, scripts, depth + 1);
  if (first === 'exec' || first === 'dlx' || first === 'x')
    return TOOLS.has(second) ? 'tool' : 'own';
  if (Object.hasOwn(scripts, first)) return installScriptKind(first, scripts, depth + 1);
  // An install script that installs more adds packages that no manifest declares.
  if (/^(?:install|i|add)$/.test(first) && second !== '') return 'inline';
  if (
    /^(?:install|i|ci|add|rebuild|build|test|prune|dedupe|audit|explore)$/.test(first) ||
    first === ''
  )
    return 'tool';
  return TOOLS.has(first.split('@')[0] ?? '') ? 'tool' : 'own';
}

function worst(kinds: readonly ScriptKind[]): ScriptKind {
  return (['fetch', 'inline', 'own'] as const).find((kind) => kinds.includes(kind)) ?? 'tool';
}
