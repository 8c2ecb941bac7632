/** The order in which builds are integrated. Pure. */
import type { PlannedBuild } from '../plan/plan.ts';

/** Each build after those that it requires; otherwise in the given order. */
export function integrationOrder(builds: readonly PlannedBuild[]): PlannedBuild[] {
  const ordered: PlannedBuild[] = [];
  const visit = (build: PlannedBuild, above: ReadonlySet<string>): void => {
    if (ordered.includes(build) || above.has(build.id)) return;
    const path = new Set([...above, build.id]);
    for (const other of builds) if (other.required_by.includes(build.id)) visit(other, path);
    ordered.push(build);
  };
  for (const build of builds) visit(build, new Set());
  return ordered;
}
