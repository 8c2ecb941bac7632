/** The event of an issue, as the code host leaves it in a file for the workflow. Title and body are hostile. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { required } from './environment.ts';
import type { Environment } from './environment.ts';

const IssueEvent = z.object({
  action: z.string(),
  issue: z.object({
    number: z.int().positive(),
    state: z.string(),
    body: z.string().nullish(),
    user: z.object({ id: z.int().positive() }).nullish(),
    labels: z.array(z.object({ name: z.string() })).default([]),
    updated_at: z.string().regex(/^\d{4}-\d{2}-\d{2}T[\d:.]{8,15}Z$/),
    pull_request: z.unknown().optional(),
  }),
  sender: z.object({ id: z.int().positive() }),
});
export type IssueEvent = z.infer<typeof IssueEvent>;

/** @throws {FormatError} `ERR_DOCUMENT` for a document that is not an event of an issue */
export function readIssueEvent(env: Environment): IssueEvent {
  const file = required(env, 'GITHUB_EVENT_PATH');
  return parseDocument(IssueEvent, readFileSync(file), 'the event');
}
