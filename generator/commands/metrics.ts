/** The command `metrics`: what the last runs did, for Prometheus. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { metricsText, readRunReport } from '../run-report.ts';
import { json, out } from './fields.ts';

export const command = defineCommand({
  description:
    'Prints what the last runs of generate, deploy and ingest did, from the file .<name of out>.run.json that they write beside the index: in the text format of Prometheus, for the textfile collector of its node exporter',
  input: z.object({ out, json }),
  notes: ['Exit status: 0 done; 1 there is no report; 2 wrong usage.'],
  examples: ['metrics --out /var/www/registry > /var/lib/node_exporter/stackyard.prom'],
  run: ({ out: index, json: isJson }) => {
    const report = readRunReport(index);
    process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : metricsText(report));
    return Promise.resolve(0);
  },
});
