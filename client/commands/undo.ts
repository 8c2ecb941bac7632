/** `undo` undoes the last change of a project. */
import { z } from 'zod';
import { define, dryRun, type RunContext } from './options.ts';
import { Integrity } from '../../format/index/record.ts';
import { type GlobalOptions, type Outcome } from '../terminal/command.ts';
import { openProject } from '../apply/apply-plan.ts';
import { undoLast } from '../change/undo-last.ts';

const Input = z.object({
  dryRun,
});

type UndoOptions = GlobalOptions & z.infer<typeof Input>;

/** @throws {ClientError} `ERR_PROJECT_CHANGED` when a file was changed since, with nothing written */
async function undo(options: UndoOptions, context: RunContext): Promise<Outcome> {
  const { project, close } = await openProject(options, context);
  try {
    return await undoLast(project, options, context);
  } finally {
    await close();
  }
}

export const command = define({
  description: 'Undoes the last add, update or remove, if no file was changed since',
  input: Input,
  output: z.looseObject({
    undone: z.string().optional().describe('Absent when there was nothing to undo.'),
    files: z.array(z.string()).optional(),
    changes: z
      .array(
        z.looseObject({
          path: z.string(),
          before: Integrity.optional().describe('Absent where there is no file.'),
          after: Integrity.optional().describe('Absent where the file goes.'),
        }),
      )
      .optional(),
  }),
  examples: ['undo -C my-app'],
  run: (input, shared, context) => undo({ ...shared, ...input }, context),
});
