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
import type { deploy } from '../deploy/deploy.ts';
import type { ConfiguredKeys } from '../deploy/own-target.ts';
import { flag, json, out, text, whole } from './fields.ts';

type Deployment = Awaited<ReturnType<typeof deploy>>;

const MAX_HOURS = 8_760;
const hours = whole(0, MAX_HOURS);

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
    grace: hours.default(24).meta({
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
  run: async ({ target, endpoint, dryRun: isDryRun, json: isJson, ...input }) => {
    const started = performance.now();
    const { deploy } = await import('../deploy/deploy.ts');
    const { openStore } = await import('../deploy/open-store.ts');
    const { signersFrom } = await import('../log/log-files.ts');
    const store = openStore(target, endpoint);
    const work = (): Promise<Deployment> =>
      deploy({
        index: input.out,
        store,
        isDryRun,
        graceMs: input.grace * HOUR_MS,
        signers: signersFrom(process.env['STACKYARD_LOG_KEY']),
        keys: configuredKeys(input.config, input.out),
        state: input.state,
      });
    const figures = ({ uploads, removed, unchanged, bytes }: Deployment): object => {
      const counts = { uploaded: uploads.length, uploaded_bytes: bytes, unchanged };
      return { target: store.place, ...counts, removed: removed.length };
    };
    const deployment = isDryRun
      ? await work()
      : await reporting('deploy', input.out, work, (ended) => ({ ok: true, ...figures(ended) }));
    if (deployment.stateNote !== undefined) console.error(`note: ${deployment.stateNote}`);
    const seconds = (performance.now() - started) / 1000;
    const { uploads, removed, later } = deployment;
    const lines = isJson
      ? [
          JSON.stringify(
            { ...figures(deployment), dry_run: isDryRun, uploads, removed, later, seconds },
            null,
            2,
          ),
        ]
      : formatDeployment(store.place, deployment, isDryRun, seconds);
    for (const line of lines) console.log(line);
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

/** The lines for a terminal: in a dry run every change, then the sums. */
function formatDeployment(
  place: string,
  { uploads, removed, unchanged, later, bytes }: Deployment,
  isDryRun: boolean,
  seconds: number,
): string[] {
  if (isDryRun) {
    const lines = [
      ...uploads.map((path) => `upload  ${path}`),
      ...removed.map((path) => `remove  ${path}`),
    ];
    const sums = `${uploads.length} to upload, ${unchanged} unchanged, ${removed.length} to remove`;
    return [...lines, `${place}: ${sums}; nothing was written`];
  }
  const sums = [
    `${uploads.length} uploaded (${(bytes / 1000).toFixed(1)} KB)`,
    `${unchanged} unchanged`,
    `${removed.length} removed`,
    ...(later === 0 ? [] : [`${later} to be removed later`]),
  ];
  return [`${place}: ${sums.join(', ')}; ${seconds.toFixed(2)} s`];
}
