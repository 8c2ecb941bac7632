/** The command `gate`: judges a pull request. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { EVENT_LOGIN } from '../../format/registry/account.ts';
import type { GateVerdict } from '../gate/gate-verdict.ts';
import { formatAnnotations, formatMarkdown, formatPlainText } from '../gate/verdict-text.ts';
import { flag, repo } from './fields.ts';

/** A name that git cannot take for an option, a range or a revision of another kind. */
const Ref = z
  .string()
  .regex(/^[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/@+-]{0,250}$/, 'it must name a commit or branch');

const Input = z.object({
  base: Ref.meta({ description: 'commit or branch that it goes into', placeholder: 'ref' }),
  head: Ref.meta({
    description: 'its newest commit; both must have been fetched',
    placeholder: 'ref',
  }),
  author: z
    .string()
    .regex(EVENT_LOGIN, 'it must be a login')
    .meta({ description: "who opened it, from the code host's event", placeholder: 'login' }),
  authorId: z.int('it must be a positive number').min(1, 'it must be a positive number').meta({
    description: 'the numeric account of that login, from the same place',
    placeholder: 'number',
  }),
  repo,
  markdown: flag('print the verdict as the comment for the code host', 'json'),
  json: flag('print the verdict as JSON (docs/publishing.md)', 'annotations'),
  annotations: flag('print it as annotations for the code host', 'markdown'),
});

export const command = defineCommand({
  description:
    'Judges a pull request into a registry: merge, review or refuse, with the reasons. Reads git objects only: nothing of the head is checked out or run',
  input: Input,
  notes: ['Exit status: 0 merge or review; 1 refuse, or the run failed; 2 wrong usage.'],
  examples: [
    'gate --base origin/main --head publish/alice/web@1.1.0 --author alice --author-id 123',
  ],
  run: async ({ author, authorId: id, ...input }) => {
    const { isOfRegistry, judgePullRequest } = await import('../gate/judge-pull-request.ts');
    const repo = resolve(input.repo);
    if (!(await isOfRegistry({ ...input, repo }))) {
      console.error('The pull request changes nothing of the registry: it is not judged');
      return 0;
    }
    const verdict = await judgePullRequest({
      ...input,
      author: { login: author, id },
      repo,
      now: new Date().toISOString(),
    });
    process.stdout.write(`${textOf(verdict, input)}\n`);
    return verdict.verdict === 'refuse' ? 1 : 0;
  },
});

function textOf(
  verdict: GateVerdict,
  { json, annotations, markdown }: Pick<z.infer<typeof Input>, 'json' | 'annotations' | 'markdown'>,
): string {
  if (json) return JSON.stringify(verdict, null, 2);
  if (annotations) return formatAnnotations(verdict).join('\n');
  return (markdown ? formatMarkdown(verdict) : formatPlainText(verdict)).trimEnd();
}
