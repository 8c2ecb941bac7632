/** Compares what the code of a build needs of its language with the settings of the project. */
import { join } from 'node:path';
import { field } from '../../../format/document/canonical-json.ts';
import type { StackFact } from '../../../format/project/stack-fact.ts';
import type { LanguageNeed } from '../../../format/index/capabilities.ts';
import { compareVersions } from '../../../format/version/semver-range.ts';
import { PACKAGE_JSON } from '../../edit/edited-files.ts';
import { readJson, readText } from '../read-file.ts';
import type { CompilerOption, Tsconfig } from './tsconfig.ts';

export interface LanguageProblem {
  readonly message: string;
  /** The file of the project with the setting. */
  readonly path: string;
  /** Whether the code cannot run, whatever its compiler does. */
  readonly stops: boolean;
}

/** The settings of a project that the language of a build depends on. */
interface LanguageSettings {
  readonly tsconfig: Tsconfig | undefined;
  /** The field `type` of package.json, and its line; line 0 where it is missing. */
  readonly type: { readonly value: string; readonly line: number };
  readonly python: StackFact | undefined;
}

/** Values of `module` that follow `type` of package.json. */
const NODE_MODULES = /^node(?:16|18|20|next)$/;
const NEW_MODULES = /^(?:es2022|esnext|system|preserve)$/;

/** The field `type` of the project's package.json. */
export function readModuleType(project: string): LanguageSettings['type'] {
  const file = join(project, PACKAGE_JSON);
  const value = field(readJson(file), 'type');
  const at = readText(file).search(/"type"\s*:/);
  const line = at === -1 ? 0 : readText(file).slice(0, at).split('\n').length;
  return { value: value === 'module' ? 'module' : 'commonjs', line };
}

/** Every need that a setting does not meet. A setting that is missing has a default that depends on the compiler. */
export function languageProblems(
  needs: readonly LanguageNeed[],
  settings: LanguageSettings,
): LanguageProblem[] {
  return needs.flatMap((need) => {
    const found = need.need.startsWith('python')
      ? pythonProblem(need, settings)
      : /\.[cm]?tsx?$/.test(need.path)
        ? typescriptProblem(need, settings)
        : javascriptProblem(need, settings);
    return found ?? [];
  });
}

function pythonProblem(
  need: LanguageNeed,
  { python }: LanguageSettings,
): LanguageProblem | undefined {
  const wanted = /^python(\d+\.\d+)$/.exec(need.need)?.[1];
  const version = python?.version;
  if (wanted === undefined || version === undefined) return undefined;
  if (compareVersions(version, `${wanted}.0`) >= 0) return undefined;
  return {
    message: `${placeOf(need)} needs Python ${wanted}, and the project has ${version} (${python?.source})`,
    path: python?.source.split(',')[0] ?? '',
    stops: true,
  };
}

function javascriptProblem(
  need: LanguageNeed,
  { type }: LanguageSettings,
): LanguageProblem | undefined {
  if (need.need !== 'commonjs' || type.value !== 'module' || !need.path.endsWith('.js'))
    return undefined;
  const message = `${placeOf(need)} is CommonJS, which Node.js does not run with "type": "module" at ${PACKAGE_JSON}:${type.line}`;
  return { message, path: PACKAGE_JSON, stops: false };
}

function typescriptProblem(
  need: LanguageNeed,
  { tsconfig, type }: LanguageSettings,
): LanguageProblem | undefined {
  if (tsconfig === undefined) return undefined;
  const option = (name: string): CompilerOption | undefined => tsconfig.options.get(name);
  const problem = (what: string, set: CompilerOption): LanguageProblem => ({
    message: `${placeOf(need)} ${what} at ${set.file}:${set.line}`,
    path: set.file,
    stops: false,
  });
  const moduleOption = option('module');
  const module = textOf(moduleOption);
  const isNode = NODE_MODULES.test(module);
  const isCommonJs = module === 'commonjs' || (isNode && type.value !== 'module');
  switch (need.need) {
    case 'import-meta':
      if (moduleOption === undefined || NEW_MODULES.test(module) || module === 'es2020')
        return undefined;
      if (isNode && (type.value === 'module' || need.path.endsWith('.mts'))) return undefined;
      return problem(
        `uses import.meta, which "module": "${module}"${typeNote(isNode)} does not allow`,
        moduleOption,
      );
    case 'top-level-await': {
      const target = option('target');
      const year = yearOf(textOf(target));
      if (target !== undefined && year !== undefined && year < 2017) {
        return problem(
          `uses await outside of functions, which "target": "${textOf(target)}" does not allow`,
          target,
        );
      }
      if (moduleOption === undefined || NEW_MODULES.test(module)) return undefined;
      if (isNode && (type.value === 'module' || need.path.endsWith('.mts'))) return undefined;
      return problem(
        `uses await outside of functions, which "module": "${module}"${typeNote(isNode)} does not allow`,
        moduleOption,
      );
    }
    case 'esm': {
      const verbatim = option('verbatimmodulesyntax');
      if (verbatim?.value !== true || !isCommonJs || need.path.endsWith('.mts')) return undefined;
      return problem(
        `has import or export, which "verbatimModuleSyntax" forbids in CommonJS, as set`,
        verbatim,
      );
    }
    case 'parameter-decorators': {
      const decorators = option('experimentaldecorators');
      if (decorators?.value === true) return undefined;
      return settingMissing(
        need,
        'decorates parameters',
        '"experimentalDecorators": true',
        decorators,
      );
    }
    case 'jsx':
      return option('jsx') === undefined
        ? settingMissing(need, 'has JSX', '"jsx", such as "react-jsx"', undefined)
        : undefined;
    case 'bigint':
    case 'regexp-d':
    case 'regexp-v': {
      const target = option('target');
      const year = yearOf(textOf(target));
      const wanted = TARGETS[need.need] ?? 0;
      if (target === undefined || year === undefined || year >= wanted) return undefined;
      return problem(
        `needs "target": "es${wanted}" or higher, which is "${textOf(target)}"`,
        target,
      );
    }
    default:
      return undefined;
  }
}

/** What compilers cannot replace for a lower target. */
const TARGETS: Readonly<Record<string, number>> = {
  bigint: 2020,
  'regexp-d': 2022,
  'regexp-v': 2024,
};

function settingMissing(
  need: LanguageNeed,
  does: string,
  wanted: string,
  set: CompilerOption | undefined,
): LanguageProblem {
  const place = set === undefined ? 'tsconfig.json' : `${set.file}:${set.line}`;
  return {
    message: `${placeOf(need)} ${does}, which needs ${wanted} in ${place}`,
    path: set?.file ?? 'tsconfig.json',
    stops: false,
  };
}

function typeNote(isNode: boolean): string {
  return isNode ? ' without "type": "module" in package.json' : '';
}

function placeOf({ path, line }: LanguageNeed): string {
  return `${path}:${line}`;
}

function textOf(option: CompilerOption | undefined): string {
  return typeof option?.value === 'string' ? option.value.toLowerCase() : '';
}

/** The year of a target; `undefined` for `esnext` and for what is no target. */
function yearOf(target: string): number | undefined {
  if (target === 'es3' || target === 'es5') return 2009;
  if (target === 'es6') return 2015;
  const year = /^es(20\d\d)$/.exec(target)?.[1];
  return year === undefined ? undefined : Number(year);
}
