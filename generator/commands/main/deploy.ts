/** The command `deploy`: uploads an index to an object store or a folder. */
import { parseArgs } from 'node:util';
import { printable } from '../../../format/build/file-path.ts';
import type { Deployment } from '../../deploy/deploy.ts';
import { GRACE_HOURS, HOUR_MS, STATE_HOURS } from '../../deploy/hours.ts';
import { formatDeployment } from '../../deploy/report.ts';
import type { Store } from '../../deploy/store.ts';
import { usageError } from '../../errors.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run deploy -- --help');

const USAGE = `Usage: npm run deploy -- <target> [--out DIR] [--dry-run] [--verify]

Uploads an index to s3://bucket/prefix or to file:/folder: what changed, in an order in which every document refers to
files that exist, "registry.json" last. Interrupted at any point, the next run completes it.

  --out DIR       the index (default: index)
  --endpoint URL  the address of an S3-compatible store (default: that of AWS)
  --region NAME   the region of the bucket (default: AWS_REGION, or us-east-1)
  --dry-run       print what would be done, and write nothing
  --verify        compare every object with the index, and repair those that were altered
  --grace HOURS   how long files stay that are no part of the index any more (default: 24)
  --state FILE    keep this state of the generator in the store, for "generate --from-store" on another machine
  --state-every HOURS  when the kept one is older than this (default: 24)
  --json          print the result as JSON
  --help          print this

Environment: STACKYARD_LOG_KEY  the private key of the log: makes the kept state and the list of files authentic; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or what else the SDK of AWS reads

Exit status: 0 done, or nothing to do; 1 the deployment failed; 2 wrong usage.

Example: npm run deploy -- s3://registry/main --endpoint https://s3.example.org
`;

const MAX_HOURS = 8_760;
/** From this on, the clock of this machine is reported. */
const CLOCK_WARNING_MS = 300_000;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseWords(argv);
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const [place, second] = positionals;
    if (place === undefined || second !== undefined) throw usage('Give one target');
    const isDryRun = values['dry-run'] === true;
    const everyMs = hoursOf('--state-every', values['state-every'], STATE_HOURS) * HOUR_MS;
    const started = performance.now();
    const { deploy } = await import('../../deploy/deploy.ts');
    const { openStore, programLease } = await import('../../deploy/open-store.ts');
    const { signersFrom } = await import('../../log/sign-log.ts');
    const store = openStore(place, { endpoint: values.endpoint, region: values.region });
    const deployment = await deploy({
      index: values.out ?? 'index',
      store,
      isDryRun,
      isVerifying: values.verify === true,
      graceMs: hoursOf('--grace', values.grace, GRACE_HOURS) * HOUR_MS,
      lease: programLease(),
      signers: signersFrom(process.env['STACKYARD_LOG_KEY']),
      ...(values.state === undefined ? {} : { state: { file: values.state, everyMs } }),
    });
    warn(store, deployment);
    const seconds = (performance.now() - started) / 1000;
    if (values.json === true)
      console.log(JSON.stringify(jsonOf(store, deployment, isDryRun, seconds), null, 2));
    else
      for (const line of formatDeployment(store.place, deployment, isDryRun, seconds))
        console.log(line);
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

function warn(store: Store, { conditions, stateNote }: Deployment): void {
  if (stateNote !== undefined) console.error(`note: ${stateNote}`);
  const ahead = store.clockAheadMs();
  if (Math.abs(ahead) >= CLOCK_WARNING_MS) {
    const minutes = Math.round(Math.abs(ahead) / 60_000);
    const side = ahead < 0 ? 'behind' : 'ahead of';
    console.error(
      `warning: The clock of this machine is ${minutes} minutes ${side} that of the store`,
    );
  }
  if (conditions?.tag === false || conditions?.absent === false) {
    console.error(
      'warning: The store does not refuse conditional writes: run one deployment at a time',
    );
  }
}

function jsonOf(store: Store, deployment: Deployment, isDryRun: boolean, seconds: number): object {
  const { plan, sent, repaired, isCurrent } = deployment;
  const uploads = [...plan.stages.flat(), ...(plan.registry === undefined ? [] : [plan.registry])];
  return {
    target: store.place,
    dry_run: isDryRun,
    current: isCurrent,
    uploads: uploads.map(({ path }) => path),
    uploaded: sent.files,
    uploaded_bytes: sent.bytes,
    unchanged: plan.unchanged,
    repaired,
    removed: plan.expired,
    removed_later: Object.keys(plan.removed).sort(),
    seconds: Number(seconds.toFixed(3)),
  };
}

function hoursOf(option: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const hours = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= MAX_HOURS) return hours;
  throw usage(
    `Option ${option} is "${printable(text)}": it must be a number from 0 to ${MAX_HOURS}`,
  );
}

function parseWords(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
          out: { type: 'string' },
          endpoint: { type: 'string' },
          region: { type: 'string' },
          'dry-run': { type: 'boolean' },
          verify: { type: 'boolean' },
          grace: { type: 'string' },
          state: { type: 'string' },
          'state-every': { type: 'string' },
          json: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
        },
      }),
    usage,
  );
}
