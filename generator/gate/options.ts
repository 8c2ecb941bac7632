/** The command line of `gate`. */
import { parseArgs } from 'node:util';
import { MAX_SCAN_SECONDS } from '../../examine/within-time.ts';
import { parseScanSeconds, usageError } from '../errors.ts';
import type { PullRequest } from './judge-pull-request.ts';

const usage = usageError('npm run gate -- --help');

export const USAGE: string = `Usage: npm run gate -- --base REF --head REF --author LOGIN --author-id N [--repo DIR] [--sarif FILE] [--scan-seconds N] [--markdown | --json | --annotations]

Judges a pull request into a registry: merge, review or refuse, with the reasons. Reads git objects only:
nothing of the head is checked out or run.

  --base REF       commit or branch that it goes into
  --head REF       its newest commit; both must have been fetched
  --author LOGIN   who opened it, from the code host's event
  --author-id N    the numeric account of that login, from the same place
  --repo DIR       the repository (default: this folder)
  --sarif FILE     add the findings of another scanner, for a person who reviews (SARIF 2.1.0)
  --scan-seconds N processor time that the scan of the build may take (default: ${MAX_SCAN_SECONDS})
  --markdown       print the verdict as the comment for the code host
  --json           print the verdict as JSON (docs/publishing.md)
  --annotations    print it as annotations for the code host
  --help           print this

Exit status: 0 merge or review; 1 refuse, or the run failed; 2 wrong usage.

Example: npm run gate -- --base origin/main --head publish/alice/web@1.1.0 --author alice --author-id 123
`;

export type GateForm = 'text' | 'markdown' | 'json' | 'annotations';

export interface GateOptions extends Omit<PullRequest, 'now' | 'external'> {
  /** File with the log of another scanner. */
  readonly sarif: string | undefined;
  readonly form: GateForm;
}

/** A name that git cannot take for an option, a range or a revision of another kind. */
const REF = /^[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/@+-]{0,250}$/;

/**
 * Reads the arguments; `undefined` for `--help`.
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parseGateOptions(argv: readonly string[]): GateOptions | undefined {
  const values = parseValues(argv);
  if (values.help === true) return undefined;
  const forms = (['markdown', 'json', 'annotations'] as const).filter(
    (name) => values[name] === true,
  );
  if (forms.length > 1) throw usage(`Options --${forms.join(' and --')} exclude each other`);
  return {
    repo: values.repo ?? '.',
    base: refOption('base', values.base),
    head: refOption('head', values.head),
    author: parseAuthor(values.author, values['author-id']),
    sarif: values.sarif,
    scanSeconds: parseScanSeconds(values['scan-seconds'], usage),
    form: forms[0] ?? 'text',
  };
}

/**
 * Checks a login and a numeric account, both from the code host's event.
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function parseAuthor(
  login: string | undefined,
  id: string | undefined,
): { login: string; id: number } {
  // Accounts of programs are called such as "dependabot[bot]".
  if (
    login === undefined ||
    !/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?(?:\[bot\])?$/.test(login)
  ) {
    throw usage(`Option --author is "${login ?? ''}": it must be a login`);
  }
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id)) {
    throw usage(`Option --author-id is "${id ?? ''}": it must be a positive number`);
  }
  return { login, id: Number(id) };
}

function refOption(name: string, value: string | undefined): string {
  if (value !== undefined && REF.test(value)) return value;
  throw usage(`Option --${name} is "${value ?? ''}": it must name a commit or branch`);
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        base: { type: 'string' },
        head: { type: 'string' },
        author: { type: 'string' },
        'author-id': { type: 'string' },
        repo: { type: 'string' },
        sarif: { type: 'string' },
        'scan-seconds': { type: 'string' },
        markdown: { type: 'boolean' },
        json: { type: 'boolean' },
        annotations: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message.split('. ')[0]! : String(cause));
  }
}
