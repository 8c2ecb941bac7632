/**
 * Actions for the scaffolder of Backstage, `stackyard:new` and `stackyard:add`, which call the client as a program. This file is to be
 * copied into a backend: README.md beside it.
 */
import { execFile } from 'node:child_process';
import { resolveSafeChildPath, type LoggerService } from '@backstage/backend-plugin-api';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';

export interface StackyardOptions {
  /** The program and its first arguments, such as `['npx', '--yes', 'https://registry.example.org/client/stackyard.tgz']`. */
  readonly client: readonly [string, ...string[]];
  /**
   * Consent of the operator to what programs run or read by themselves, as `--allow` takes it. It is no input of the actions:
   * a registry writes templates, and would consent to its own files.
   */
  readonly allow?: readonly string[];
}

/** Nothing that begins with "-" or leads out of a folder. */
const NAME = /^[a-z0-9][a-z0-9-]*$/;
const BUILD = /^(?:[a-z0-9][a-z0-9.-]*:)?[a-z0-9-]+\/[a-z0-9-]+(?:@[A-Za-z0-9.^~<>=*+-]+)?$/;

export function createStackyardActions(options: StackyardOptions) {
  const newProject = createTemplateAction({
    id: 'stackyard:new',
    description: 'Starts a project from a foundation, in a new folder of the workspace',
    schema: {
      input: {
        foundation: (z) => z.string().regex(BUILD).describe('<owner>/<name>'),
        name: (z) =>
          z.string().regex(NAME).max(50).describe('The folder, and the name of the project'),
        modules: (z) => z.array(z.string().regex(BUILD)).max(50).optional(),
        database: (z) => z.enum(['none', 'sqlite', 'postgres']).optional(),
        accounts: (z) => z.boolean().optional(),
        packageManager: (z) => z.enum(['npm', 'pnpm', 'yarn', 'bun']).optional(),
      },
      output: {
        path: (z) => z.string().describe('The folder in the workspace'),
        result: (z) => z.any().describe('What the client prints with --json'),
        next: (z) => z.string().describe('Commands that may follow, one in a line'),
      },
    },
    async handler(ctx) {
      const { foundation, name, modules = [], database, accounts, packageManager } = ctx.input;
      const args = [
        'new',
        foundation,
        name,
        ...(modules.length > 0 ? ['--with', ...modules] : []),
        ...(database === undefined ? [] : ['--database', database]),
        ...(accounts === true ? ['--accounts'] : []),
        ...(packageManager === undefined ? [] : ['--package-manager', packageManager]),
      ];
      const result = await runClient(options, args, ctx.workspacePath, ctx);
      ctx.output('path', name);
      ctx.output('result', result);
      ctx.output('next', nextOf(result));
    },
  });
  const addBuilds = createTemplateAction({
    id: 'stackyard:add',
    description: 'Adds builds to a project in the workspace',
    schema: {
      input: {
        builds: (z) => z.array(z.string().regex(BUILD)).min(1).max(50),
        path: (z) =>
          z.string().optional().describe('The project in the workspace; default: its root'),
      },
      output: {
        result: (z) => z.any().describe('What the client prints with --json'),
        next: (z) => z.string().describe('Commands that may follow, one in a line'),
      },
    },
    async handler(ctx) {
      const { builds, path = '.' } = ctx.input;
      const project = resolveSafeChildPath(ctx.workspacePath, path);
      // Fixers of the project would be its own code, with the rights of the backend.
      const args = ['add', ...builds, '--style', 'shipped'];
      const result = await runClient(options, args, project, ctx);
      ctx.output('result', result);
      ctx.output('next', nextOf(result));
    },
  });
  return [newProject, addBuilds];
}

interface Envelope {
  readonly next: readonly { readonly command: string }[];
  readonly warnings: readonly { readonly message: string }[];
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

function nextOf({ next }: Envelope): string {
  return next.map(({ command }) => command).join('\n');
}

/** No code of the project runs: packages are not installed, and nothing is proved. */
async function runClient(
  { client: [program, ...first], allow = [] }: StackyardOptions,
  args: readonly string[],
  folder: string,
  { logger, signal }: { readonly logger: LoggerService; readonly signal?: AbortSignal },
): Promise<Envelope> {
  const fixed = ['--json', '--no-input', '--no-install', '--no-prove', '-C', folder];
  const all = [...first, ...args, ...allow.map((what) => `--allow=${what}`), ...fixed];
  logger.info(`${program} ${all.join(' ')}`);
  const limits = { cwd: folder, signal, maxBuffer: 100_000_000 };
  const [error, stdout, stderr] = await new Promise<[Error | null, string, string]>((done) => {
    execFile(program, all, limits, (...ended) => done(ended));
  });
  const envelope = stdout.startsWith('{') ? (JSON.parse(stdout) as Envelope) : undefined;
  for (const { message } of envelope?.warnings ?? []) logger.warn(message);
  if (error === null && envelope !== undefined) return envelope;
  const { code, message, hint } = envelope?.error ?? {
    code: 'no answer',
    message: stderr || (error?.message ?? 'the client printed no JSON'),
    hint: 'check "client" of createStackyardActions()',
  };
  throw new Error(`stackyard ${args[0]}: ${message} (${code}): ${hint}`, { cause: error });
}
