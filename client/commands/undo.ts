/** `undo` undoes the last change of a project. */
import { z } from 'zod';
import { define, dryRun } from '../terminal/options.ts';
import { Integrity } from '../../format/index/record.ts';
import { openProject } from '../apply/open-project.ts';
import { undoLast } from '../change/undo-last.ts';

export const command = define({
  description: 'Undoes the last add, update or remove, if no file was changed since',
  input: z.object({ dryRun }),
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
  run: async (input, shared, context) => {
    const options = { ...shared, ...input };
    const { project, close } = await openProject(options, context.terminal.warn);
    try {
      return await undoLast(project, options, context);
    } finally {
      await close();
    }
  },
});
