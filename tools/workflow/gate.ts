/**
 * The first job of publish.yml: judges a pull request with the base branch's code and a token that may only
 * read, and leaves the verdict in a file. It neither checks out nor runs anything of the pull request.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { formatAnnotations } from '../../generator/gate/annotations.ts';
import { judgePullRequest } from '../../generator/gate/judge-pull-request.ts';
import { formatMarkdown } from '../../generator/gate/markdown.ts';
import { parseAuthor } from '../../generator/gate/options.ts';
import { CodeHost } from './code-host.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { fetchSides } from './fetch-sides.ts';
import { runScript } from './run-script.ts';

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const number = Number(required(env, 'PULL_NUMBER'));
  const file = required(env, 'VERDICT_FILE');
  const { user, head, base } = await new CodeHost(env).pull(number);
  if (base.ref !== required(env, 'BASE_BRANCH')) {
    console.log(`::error::Pull request ${number} goes into another branch: nothing was judged`);
    return 1;
  }
  const sides = fetchSides(env, folder);
  if (sides.head !== head.sha) {
    console.log('::error::The pull request moved while it was fetched: its new run judges it');
    return 1;
  }
  const author = parseAuthor(user.login, String(user.id));
  const now = new Date().toISOString();
  const verdict = await judgePullRequest({ repo: folder, ...sides, author, now });
  writeFileSync(file, `${JSON.stringify(verdict, null, 2)}\n`);
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') appendFileSync(summary, formatMarkdown(verdict));
  for (const line of formatAnnotations(verdict)) console.log(line);
  console.log(`verdict: ${verdict.verdict}`);
  return verdict.verdict === 'refuse' ? 1 : 0;
}
