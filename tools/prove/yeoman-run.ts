/**
 * Runs a generator of Yeoman with its default answers, in the working directory:
 *
 *     node yeoman-run.ts <folder of the npm tools> <generator> <name>
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Question {
  readonly name: string;
  readonly default?: unknown;
}

interface Environment {
  register(file: string, namespace: string): void;
  run(args: readonly string[], options: object): Promise<void>;
}

interface Yeoman {
  createEnv(args: readonly string[], options: object, adapter: object): Environment;
}

/** Of the npm tools, not a package of this repository. */
const ENVIRONMENT = 'yeoman-environment';

const [tools = '', generator = '', name = ''] = process.argv.slice(2);
const require = createRequire(join(tools, '.package.json'));
const yeoman = require(ENVIRONMENT) as Yeoman;

/** Answers as someone who presses Enter at each question, and prints nothing. */
const quiet = (): void => {};
const levels = ['write', 'writeln', 'ok', 'error', 'skip', 'force', 'create', 'invoke'];
const more = ['conflict', 'identical', 'info', 'table'];
const adapter = {
  prompt: async (questions: readonly Question[]) =>
    Object.fromEntries(questions.map((question) => [question.name, question.default])),
  log: Object.assign(quiet, Object.fromEntries([...levels, ...more].map((key) => [key, quiet]))),
  diff: quiet,
};
const env = yeoman.createEnv([], { cwd: process.cwd() }, adapter);
env.register(require.resolve(`${generator}/app/index.js`), 'generator:app');
await env.run(['generator:app', name], { force: true });
