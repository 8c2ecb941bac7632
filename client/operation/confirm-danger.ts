/** Asks before a build is installed that the registry's checks rate as dangerous. */
import type { Ask } from '../terminal/ask.ts';
import type { Plan } from '../plan/plan.ts';

/** Code of the warning that a plan has for such a build. */
export const BUILD_DANGER = 'build-danger';

/** @throws {ClientError} `ERR_NEEDS_ANSWER`, `ERR_DECLINED` */
export async function confirmDanger({ warnings }: Plan, ask: Ask): Promise<void> {
  const dangers = warnings.filter(({ code }) => code === BUILD_DANGER);
  if (dangers.length === 0) return;
  const messages = dangers.map(({ message }) => message).join('; ');
  await ask({ text: `${messages}. Install it all the same?`, flag: '--yes' });
}
