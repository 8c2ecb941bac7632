/**
 * The script of waiting.yml: starts a new judgement of pull requests whose waiting period is over. It merges
 * nothing; publish.yml does, if the gate still allows it and no one holds it.
 */
import { escapeCommandData } from '../../generator/gate/escape.ts';
import { CodeHost } from './code-host.ts';
import { required } from './environment.ts';
import type { Environment } from './environment.ts';
import { HOLD_LABEL, WAITING_LABEL, isDue, isRunning, statusContext } from './gate-status.ts';
import { findObjection, versionsIn } from './objections.ts';
import { runScript } from './run-script.ts';

/** The others follow an hour later. */
const MAX_WOKEN = 50;

await runScript(() => main(process.env));

async function main(env: Environment): Promise<number> {
  const branch = required(env, 'BASE_BRANCH');
  const host = new CodeHost(env);
  let [woken, failed] = [0, 0];
  for (const { number, labels } of await host.pullsWith(WAITING_LABEL, 'open')) {
    if (woken >= MAX_WOKEN) break;
    if (labels.includes(HOLD_LABEL)) continue;
    try {
      const { draft, state, head, base } = await host.pull(number);
      if (state !== 'open' || base.ref !== branch) continue;
      const statuses = await host.statuses(head.sha);
      const status = statuses.find(({ context }) => context === statusContext(number));
      // A draft whose time runs is judged as well: that stops the time.
      if (status === undefined || !(draft ? isRunning(status) : isDue(status, Date.now())))
        continue;
      const proposed = { versions: versionsIn(labels), sha: head.sha };
      const objection = draft ? undefined : await findObjection(host, number, proposed, statuses);
      if (objection !== undefined) {
        console.log(`#${number} waits for an admin: ${objection}`);
        continue;
      }
      await host.dispatch('publish.yml', branch, { pull: String(number) });
      console.log(`judged again: #${number}`);
      woken += 1;
    } catch (error) {
      // One that cannot be read does not delay the others.
      const message = error instanceof Error ? error.message : String(error);
      console.log(`::error::${escapeCommandData(`#${number}: ${message}`)}`);
      failed += 1;
    }
  }
  console.log(`${woken} judged again, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
