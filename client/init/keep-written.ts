/** Adds what a new draft has to an existing manifest; everything written there is kept. */
import type { Manifest } from '../../format/build/manifest.ts';

type Packages = NonNullable<Manifest['dependencies']>;

/** `known`, with the packages, variables and stack tags of `draft` that it does not have. */
export function keepWritten(known: Manifest, draft: Manifest): Manifest {
  const { dependencies, devDependencies, env, stack } = known;
  const requires = { ...draft.stack?.requires, ...stack?.requires };
  return {
    ...draft,
    ...known,
    ...some('stack', { ...stack, ...some('requires', requires) }),
    ...some('dependencies', joined(dependencies, draft.dependencies, devDependencies)),
    ...some('devDependencies', joined(devDependencies, draft.devDependencies, dependencies)),
    ...some('env', { ...draft.env, ...env }),
  };
}

/** An entry in the other table was put there on purpose. */
function joined(
  known: Packages | undefined,
  draft: Packages | undefined,
  other: Packages | undefined,
): Packages {
  const of = (registry: 'npm' | 'pip'): Record<string, string> => {
    const added = Object.entries(draft?.[registry] ?? {});
    const fresh = added.filter(([name]) => !Object.hasOwn(other?.[registry] ?? {}, name));
    return { ...Object.fromEntries(fresh), ...known?.[registry] };
  };
  return { ...some('npm', of('npm')), ...some('pip', of('pip')) };
}

function some(field: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [field]: value };
}
