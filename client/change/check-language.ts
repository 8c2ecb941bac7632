/** Compares what builds need of the language with the project, by the capabilities that their registry derived. */
import type { LanguageNeed } from '../../format/index/capabilities.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import { javaScriptForm } from '../project/stack/javascript-form.ts';
import {
  type LanguageProblem,
  languageProblems,
  readModuleType,
} from '../project/stack/language-fit.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { readTsconfig } from '../project/stack/tsconfig.ts';
import type { Registries } from '../registry/registries.ts';

/** A version of a build to compare. */
interface Version {
  readonly id: string;
  readonly version: string;
}

interface BuildProblem extends LanguageProblem {
  readonly id: string;
}

/**
 * What the project does not give to `builds`, as warnings.
 * @throws {ClientError} `ERR_STACK` when the code of one cannot run in the project
 */
export async function checkLanguage(
  project: string,
  registry: Registries,
  builds: readonly Version[],
  lock: Lock | undefined,
): Promise<Warning[]> {
  const fresh = builds.filter(({ id, version }) => lock?.builds[id]?.version !== version);
  const problems = await findLanguageProblems(project, registry, fresh);
  const stop = problems.find(({ stops }) => stops);
  if (stop !== undefined) {
    const { id, message } = stop;
    throw new ClientError('ERR_STACK', `Cannot use "${id}": ${message}`, {
      hint: 'raise the version that the project runs on, or choose an earlier version of the build',
    });
  }
  return problems.map(({ id, message, path }) => {
    return { code: 'language', message: `${id}: ${message}`, path };
  });
}

/** The problems of all `builds`; none for a version whose capabilities the registry does not have. */
export async function findLanguageProblems(
  project: string,
  registry: Registries,
  builds: readonly Version[],
): Promise<BuildProblem[]> {
  const needs = await Promise.all(
    builds.map(async ({ id, version }) => ({ id, language: await needsOf(registry, id, version) })),
  );
  const isJavaScript = javaScriptForm(project) !== undefined;
  const found = needs
    .map(({ id, language }) => ({
      id,
      // Types are removed, and modules are written as the project loads them.
      language: isJavaScript ? language.filter(({ need }) => need.startsWith('python')) : language,
    }))
    .filter(({ language }) => language.length > 0);
  if (found.length === 0) return [];
  const tsconfig = readTsconfig(project);
  const type = readModuleType(project);
  const isPython = found.some(({ language }) => language.some((n) => n.need.startsWith('python')));
  const python = isPython
    ? (await readStack(project, process.versions.node)).get('python')
    : undefined;
  const unread = (tsconfig?.problems ?? []).map((problem) => {
    const [{ id }] = found as [(typeof found)[0]];
    const message = `its needs were not fully compared: ${problem}`;
    return { id, message, path: 'tsconfig.json', stops: false };
  });
  return [
    ...unread,
    ...found.flatMap(({ id, language }) => {
      const problems = languageProblems(language, { tsconfig, type, python });
      // The Python in use runs it, and the project admits one that does not: one place of it shows that.
      const admitted = languageProblems(
        language.filter(({ need }) => need.startsWith('python')),
        { tsconfig, type, python: python?.lowest },
      )
        .slice(0, 1)
        .map((problem) => ({ ...problem, stops: false }));
      return [...problems, ...admitted].map((problem) => ({ id, ...problem }));
    }),
  ];
}

/** An index of an earlier generator may not have the document: then nothing is known. */
async function needsOf(
  registry: Registries,
  id: string,
  version: string,
): Promise<readonly LanguageNeed[]> {
  try {
    return (await registry.version(id, version))?.capabilities.language ?? [];
  } catch (error) {
    if (error instanceof ClientError && error.code === 'ERR_NETWORK') return [];
    throw error;
  }
}
