/**
 * For tests: one run of the client (`apply`, `apply-last`, `recover` or `hold`) in a process that kills
 * itself at the given step: `node crash-run.ts <action> <project> <step>`
 */
import { withProjectLock } from '../../client/apply/project-lock.ts';
import { recover } from '../../client/apply/recover.ts';
import { applyChanges } from '../../client/apply/transaction.ts';
import { COMMIT, EMPTIED, LAST_COMMIT, WRITES } from './project-tree.ts';

const [, , action, project = '', at = '-1'] = process.argv;
let count = 0;

await withProjectLock(project, async () => {
  if (action === 'apply-last') {
    await applyChanges(project, WRITES, LAST_COMMIT, { emptied: EMPTIED, step: dieAtStep });
  }
  if (action === 'apply')
    await applyChanges(project, WRITES, COMMIT, { emptied: EMPTIED, step: dieAtStep });
  if (action === 'recover') await recover(project, { step: dieAtStep });
  if (action === 'hold') {
    process.stdout.write('held\n');
    await new Promise((resume) => setTimeout(resume, 60_000));
  }
});

function dieAtStep(): void {
  if (count++ === Number(at)) process.kill(process.pid, 'SIGKILL');
}
