/** `audit`: checks all that a registry serves against its transparency log. */
import { z } from 'zod';
import { define } from '../terminal/options.ts';
import { auditIndex } from '../../format/audit/audit-index.ts';
import { ClientError } from '../errors.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { lockIfAny } from '../project/project.ts';

/** @throws {ClientError} `ERR_LOG` for a log that is not signed or does not continue what was seen, and those of the registry */
export async function audit(options: GlobalOptions, context: CommandContext): Promise<Outcome> {
  const lock = lockIfAny(options);
  return withRegistry(
    options,
    lock,
    context,
    async ({ defaultRegistry: registry }): Promise<Outcome> => {
      const key = await registry.proved.use(async ({ signed, info }) => signed?.nextKey(info));
      if (key === undefined) {
        const problem = `Cannot check ${registry.base}: nobody signs its transparency log`;
        const hint = 'its operator can sign it: see "The log" in docs/operate.md';
        throw new ClientError('ERR_LOG', problem, { hint });
      }
      const found = await auditIndex((path) => registry.indexFile(path), key);
      const { problems, entries, builds, versions } = found;
      const summary = `entries: ${entries}, builds: ${builds}, versions: ${versions}, signed by ${key}`;
      const data = { registry: registry.base, ...found };
      if (problems.length === 0) {
        return { status: 'done', data, text: [summary, 'Nothing differs from the log'] };
      }
      const lines = problems.map(({ where, problem }) => `${where}: ${problem}`);
      const text = [...lines, summary, `Problems: ${problems.length}`];
      const error = new ClientError('ERR_LOG', `${registry.base} does not serve what its log has`, {
        hint: 'install nothing from this address, and report what differs to the registry',
      });
      return { status: 'different', data, text, error };
    },
    'reading',
  );
}

export const command = define({
  description:
    'Downloads the log of the registry and all that it publishes, and compares them; exit status 6 when something differs',
  input: z.object({}),
  examples: ['audit --registry https://registry.example.org'],
  run: (_input, shared, context) => audit(shared, context),
});
