/** The command `shard`: moves the builds of a repository to another layout. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { LAYOUTS } from '../../format/registry/repository-layout.ts';
import { moveBuilds } from '../setup/move-builds.ts';
import { repo } from './fields.ts';

export const command = defineCommand({
  description:
    'Moves the builds of a registry\'s repository to another layout, in one commit on the branch that is checked out: "flat" is builds/<owner>/<name>, for up to some thousand owners; "sharded" is builds/<ab>/<cd>/<owner>/<name>, by the first letters of the SHA-256 of the owner. The commit also sets "layout" in registry.config.json. It publishes nothing: ids, log, dates and the index stay the same. Bring it to the base branch as a pull request of an admin, which the gate knows',
  input: z.object({
    repo,
    layout: z
      .enum(LAYOUTS)
      .default('sharded')
      .meta({ description: 'the layout to move to', placeholder: 'name' }),
  }),
  notes: [
    'Exit status: 0 done, or it has the layout already; 1 it failed, and nothing changed; 2 wrong usage.',
  ],
  examples: ['shard --repo ../registry'],
  run: async ({ repo: folder, layout }) => {
    const { commit, owners } = await moveBuilds(folder, layout);
    console.log(
      commit === undefined
        ? `The repository has the layout "${layout}" already`
        : `Moved the folders of ${owners} owners to the layout "${layout}": commit ${commit}`,
    );
    return 0;
  },
});
