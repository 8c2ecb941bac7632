/** `signals/<owner>/<name>.json`: what happened after publication, written by the ingest command only. */
import { z } from 'zod';
import { Timestamp } from './record.ts';

const Count = z.int().min(0);

export const Signals = z
  .strictObject({
    downloads: Count.default(0),
    agent_reports: z.strictObject({ success: Count, failure: Count }).default({
      success: 0,
      failure: 0,
    }),
    flags: Count.default(0).describe('Open moderation flags.'),
    updated_at: Timestamp,
  })
  .meta({ title: 'Stackyard signals' });
export type Signals = z.infer<typeof Signals>;
