/** The command `deploy`: uploads an index to an object store or a folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { HOUR_MS } from '../../format/duration.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { originOfRegistry } from '../../format/registry/registry-config.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { readConfigFile } from '../config.ts';
import { reporting } from '../run-report.ts';
import type { ConfiguredKeys } from '../deploy/own-target.ts';
import { flag, json, out, text, whole } from './fields.ts';

export const command = defineCommand({
  description:
    'Uploads what changed of an index to s3://bucket/prefix or file:/folder, the checkpoint that names all the rest last. Interrupted at any point, the next run completes it',
  input: z.object({
    target: z.string().meta({ description: 'where to', isArgument: true }),
    out,
    config: text(
      'file',
      'the configuration of the registry: the log must be signed by the key that it names; by default registry.config.json of this folder, where it is of this registry',
    ),
    endpoint: text(
      'url',
      'the address of an S3-compatible store; by default AWS_ENDPOINT_URL, or that of AWS',
    ),
    dryRun: flag('print what would be done, and write nothing'),
    grace: whole(0, 8_760).default(24).meta({
      description: 'how long files stay that are not part of the index any more',
      placeholder: 'hours',
    }),
    state: text(
      'file',
      'keep this state of the generator in the store, where the kept one is older than a day, for "generate --from-store" on another machine',
    ),
    json,
  }),
  notes: [
    'Environment: STACKYARD_LOG_KEY is the private key of the log: it makes the inventory and the kept state of the target authentic. AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, AWS_REGION (by default us-east-1), or what else the SDK of AWS reads.',
    'Exit status: 0 done, or nothing to do; 1 the deployment failed; 2 wrong usage.',
  ],
  examples: ['deploy s3://registry/main --endpoint https://s3.example.org'],
  run: async ({ target, endpoint, dryRun: isDryRun, grace, ...input }) => {
    const started = performance.now();
    const { deploy } = await import('../deploy/deploy.ts');
    const { openStore } = await import('../deploy/open-store.ts');
    const { signersFrom } = await import('../log/log-files.ts');
    const store = openStore(target, endpoint);
    const signers = signersFrom(process.env['STACKYARD_LOG_KEY']);
    const keys = configuredKeys(input.config, input.out);
    const options = { index: input.out, store, isDryRun, graceMs: grace * HOUR_MS, signers, keys };
    const work = () => deploy({ ...options, state: input.state });
    type Deployment = Awaited<ReturnType<typeof work>>;
    const figuresOf = ({ uploads, bytes, unchanged, removed, later }: Deployment): object => {
      const sent = { uploaded: uploads.length, uploaded_bytes: bytes };
      return { target: store.place, ...sent, unchanged, removed: removed.length, later };
    };
    const report = (ended: Deployment) => ({ ok: true, ...figuresOf(ended) });
    const deployment = isDryRun ? await work() : await reporting('deploy', input.out, work, report);
    const { uploads, removed, unchanged, later, bytes, stateNote } = deployment;
    if (stateNote !== undefined) console.error(`note: ${stateNote}`);
    const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
    if (input.json) {
      const all = { ...figuresOf(deployment), uploads, removed_files: removed, seconds };
      console.log(JSON.stringify({ ...all, dry_run: isDryRun }, null, 2));
      return 0;
    }
    const lines = isDryRun
      ? [...uploads.map((path) => `upload  ${path}`), ...removed.map((path) => `remove  ${path}`)]
      : [];
    const sums = isDryRun
      ? `${uploads.length} to upload, ${unchanged} unchanged, ${removed.length} to remove; nothing was written`
      : `${uploads.length} uploaded (${(bytes / 1000).toFixed(1)} KB), ${unchanged} unchanged, ${removed.length} removed, ${later} to be removed later; ${seconds} s`;
    console.log([...lines, `${store.place}: ${sums}`].join('\n'));
    return 0;
  },
});

/** What the configuration has of keys. Without the option, the file counts where it is of the registry of the index. */
function configuredKeys(file: string | undefined, index: string): ConfiguredKeys | undefined {
  if (file === undefined && !existsSync(CONFIG_FILE)) return undefined;
  const config = readConfigFile('deploy', file ?? CONFIG_FILE);
  if (file !== undefined) return config.log;
  const registry = join(index, REGISTRY_PATH);
  if (!existsSync(registry)) return undefined;
  const { origin } = parseDocument(RegistryInfo, readFileSync(registry), `"${registry}"`);
  return origin === originOfRegistry(config) ? config.log : undefined;
}
