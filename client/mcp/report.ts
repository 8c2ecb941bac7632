/** The tool `report`: prepares an agent's report about a build; sends and writes nothing. */
import { z } from 'zod';
import { MAX_NOTE_CHARACTERS } from '../../format/statement/statement.ts';
import { Integrity } from '../../format/index/record.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { info } from '../commands/info.ts';
import { checkedText } from '../publish/checked-text.ts';
import type { Tool } from './tool.ts';
import { defineTool } from './tool.ts';

export const report: Tool = defineTool({
  name: 'report',
  title: 'Prepare a report about a build',
  description:
    'Prepares a report that a version of a build worked or failed. Sends nothing and writes nothing: it returns the JSON document and where the user may send it. No personal data and no secrets in the note.',
  input: z.strictObject({
    build: z.string().max(400).describe('"<owner>/<name>@<version>"'),
    outcome: z.enum(['success', 'failure']),
    note: z.string().max(MAX_NOTE_CHARACTERS).optional().describe('what worked or failed'),
  }),
  data: z.looseObject({
    document: z.looseObject({
      build: z.string(),
      version: z.string(),
      integrity: Integrity,
      outcome: z.enum(['success', 'failure']),
      day: z.string(),
      note: z.string().optional(),
    }),
    missing: z.array(z.string()).describe('fields that the sender adds'),
    folder: z.string().describe('in the repository of the registry'),
    send: z.string(),
  }),
  isChanging: false,
  run: async ({ build, outcome, note }, context) => {
    const options = { ...context.options, readme: false, integration: false };
    const noted =
      note === undefined ? {} : { note: checkedText(note, 'note', MAX_NOTE_CHARACTERS) };
    const { id, version, integrity } = (await info(build, options, context)).data as PackageRecord;
    const day = new Date().toISOString().slice(0, 10);
    const folder = `reports/${id}/${version}/`;
    const send = `Nothing was sent. Add "account" ("host:" and the numeric id at the code host), and open a pull request against the repository of the registry that puts the document into ${folder}, as "stackyard report ${id}@${version} ${outcome}" does, or use its issue form for reports.`;
    return {
      status: 'done',
      data: {
        document: { build: id, version, integrity, outcome, day, ...noted },
        missing: ['account'],
        folder,
        send,
      },
      text: [],
    };
  },
});
