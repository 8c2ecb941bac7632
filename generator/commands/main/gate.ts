/** The command `gate`: arguments in, verdict and exit status out. The only catch. */
import { resolve } from 'node:path';
import { StackyardError } from '../../../format/errors.ts';
import { printable } from '../../../format/build/file-path.ts';
import { formatAnnotations } from '../../gate/annotations.ts';
import { formatMarkdown } from '../../gate/markdown.ts';
import { formatPlainText } from '../../gate/plain-text.ts';
import type { GateForm } from '../../gate/options.ts';
import type { GateVerdict } from '../../../format/registry/gate-verdict.ts';
import { USAGE, parseGateOptions } from '../../gate/options.ts';

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseGateOptions(argv);
    if (options === undefined) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { readExternalFindings } = await import('../../gate/external-findings.ts');
    const { judgePullRequest } = await import('../../gate/judge-pull-request.ts');
    const now = new Date().toISOString();
    const { sarif } = options;
    const external = sarif === undefined ? [] : readExternalFindings(sarif);
    const repo = resolve(options.repo);
    const verdict = await judgePullRequest({ ...options, repo, now, external });
    process.stdout.write(`${formatVerdict(verdict, options.form)}\n`);
    return verdict.verdict === 'refuse' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    console.error(`error: ${printable(error.message)} [${error.code}]`);
    if (error.hint !== undefined) console.error(`hint: ${printable(error.hint)}`);
    return error.code === 'ERR_USAGE' ? 2 : 1;
  }
}

function formatVerdict(verdict: GateVerdict, form: GateForm): string {
  if (form === 'json') return JSON.stringify(verdict, null, 2);
  if (form === 'annotations') return formatAnnotations(verdict).join('\n');
  return (form === 'markdown' ? formatMarkdown(verdict) : formatPlainText(verdict)).trimEnd();
}
