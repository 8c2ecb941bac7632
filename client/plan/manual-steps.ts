/** Commands for projects whose package manager keeps its packages in a file that is not edited. Pure. */
import { formatRequirement } from '../edit/python/pip-dependencies.ts';
import type { NpmRequirement } from '../edit/json/npm-requirement.ts';
import type { TablePipRequirement } from '../edit/python/pip-requirement.ts';
import type { ByHand, ManualStep } from './plan.ts';

/** For a Deno project without package.json. */
export function denoSteps(needs: readonly NpmRequirement[]): ManualStep[] {
  return byTable(needs).map(({ all, isDev, why }) => {
    const names = all.map(({ name, range }) => quoted(`npm:${name}@${range}`));
    return { command: `deno add${isDev ? ' --dev' : ''} ${names.join(' ')}`, why };
  });
}

/** For a project with a Pipfile, or with an environment of conda. */
export function pythonSteps(
  manager: NonNullable<ByHand['pip']>,
  needs: readonly TablePipRequirement[],
): ManualStep[] {
  return byTable(needs).map(({ all, isDev, why }) => {
    const names = all.map((need) => quoted(formatRequirement(need))).join(' ');
    if (manager === 'pipenv') {
      return { command: `pipenv install${isDev ? ' --dev' : ''} ${names}`, why };
    }
    const where = `${why}; run it in the environment of conda, and list them there`;
    return { command: `python -m pip install ${names}`, why: where };
  });
}

/** Needs of run time and of development apart, each once. */
function byTable<Need extends NpmRequirement | TablePipRequirement>(
  needs: readonly Need[],
): { all: Need[]; isDev: boolean; why: string }[] {
  return (['dependencies', 'devDependencies'] as const).flatMap((table) => {
    const all = needs.filter((need) => need.table === table);
    if (all.length === 0) return [];
    const builds = [...new Set(all.map(({ build }) => build))].join(', ');
    return [{ all, isDev: table === 'devDependencies', why: `adds what ${builds} needs` }];
  });
}

function quoted(text: string): string {
  return `"${text}"`;
}
