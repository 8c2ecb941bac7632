/** The files of a new registry. Workflows, issue forms and README are templates in `templates/`, with a few placeholders such as `__RUNNER__`. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Authentication } from '../../format/index/registry-info.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import type { CodeHostKind } from '../../format/registry/registry-config.ts';
import { isPackaged, packagedFile } from '../packaged.ts';

/** The folder of the templates, in the sources and in the package. */
export const TEMPLATES = 'templates';
/** The repository that measures the builds of the registry: its files, for a person to put there. */
const MEASURING = 'measuring/';
const INSTALLER = '.stackyard/install.mjs';

export interface NewRegistry {
  /** The fields that it sets. */
  readonly config: {
    readonly name: string;
    /** Empty where it is not known. */
    readonly base_url: string;
    readonly origin?: string;
    readonly repository?: string;
    readonly code_host?: CodeHostKind;
    readonly admins: readonly { readonly login: string; readonly account_id: number }[];
    readonly auth?: Authentication;
    /** The folder of the registry in a repository that is there already. */
    readonly root?: string;
    /** The package that the workflows install; none: no workflows. */
    readonly software?: { readonly address: string; readonly integrity: string };
  };
  /** Whose workflows it gets, and the label of the runner: it needs git and Node.js. */
  readonly host: { readonly kind: CodeHostKind; readonly runner: string };
  /** The package of the software, where it is not fetched from an address; it becomes a file of the repository. */
  readonly package?: Uint8Array | undefined;
}

/** Path to content. */
export function registryFiles(registry: NewRegistry): Record<string, string | Uint8Array> {
  const { config, package: bytes } = registry;
  const { software, root = '' } = config;
  return {
    [CONFIG_FILE]: json(config),
    [`${root}builds/.gitkeep`]: '',
    [`${root}.gitignore`]: '/index/\n/.index.*\n/.ingest.*\nnode_modules/\n*.key\n',
    [`${root}README.md`]: readme(config),
    ...(software === undefined ? {} : workflowFiles(registry)),
    ...(software !== undefined && bytes !== undefined ? { [software.address]: bytes } : {}),
  };
}

/** The installer, the workflows and the issue forms; at GitHub also the repository that measures. Path to text. */
export function workflowFiles({
  config: { base_url: address, root = '', software },
  host: { kind, runner },
}: Pick<NewRegistry, 'host'> & {
  readonly config: Pick<NewRegistry['config'], 'base_url' | 'root' | 'software'>;
}): Record<string, string> {
  const values = {
    HOST: kind,
    RUNNER: runner,
    BASE_URL: address === '' ? 'https://registry.example' : address,
  };
  const fill = (path: string): string => filled(withPaths(template(path), root), values);
  const workflows = kind === 'github' ? 'github' : 'gitea';
  const measuring = `${root}${MEASURING}`;
  return {
    [INSTALLER]: template('install.mjs'),
    ...Object.fromEntries(
      [...templatesIn(workflows), ...templatesIn('forms')].map((path) => {
        const name = path.slice(path.indexOf('/') + 1);
        const folder = path.startsWith('forms/') ? 'ISSUE_TEMPLATE' : 'workflows';
        return [`.${kind}/${folder}/${name}`, fill(path)];
      }),
    ),
    ...(kind === 'github' && {
      [`${measuring}.github/workflows/measure.yml`]: fill('measuring/measure.yml'),
      [`${measuring}${INSTALLER}`]: template('install.mjs'),
      [`${measuring}signals/.gitkeep`]: '',
      [`${measuring}software.json`]: json({ software }),
    }),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** In a larger repository, what changes nothing of the registry starts nothing. */
function withPaths(text: string, root: string): string {
  const paths = root === '' ? '' : `    paths: ['${root}**', '${CONFIG_FILE}']\n`;
  return text.replace('    # __PATHS__\n', paths);
}

function readme({ name, base_url: address, auth, root = '' }: NewRegistry['config']): string {
  const at = address === '' ? 'http://127.0.0.1:4173' : address;
  const values = { NAME: name, ADDRESS: at, ROOT: root, LOGIN: loginNote(at, auth) };
  return filled(template('README.md'), values);
}

/** npm fetches the client with the credential of its own file; the client reads netrc or git. */
function loginNote(address: string, auth: Authentication | undefined): string {
  if (auth === undefined) return '';
  const place = address.replace(/^https?:/, '');
  const line = auth.scheme === 'basic' ? `_auth=<base64 of user:password>` : '_authToken=<token>';
  const more = auth.help === undefined ? '' : `; how to get one: ${auth.help}`;
  return `This registry is private. Your \`~/.npmrc\`, which only you may read, has the credential${more}:\n\n    ${place}/:${line}\n\nnpm reads it there; the client itself reads \`~/.netrc\` or git's credentials.\n\n`;
}

/** @throws {Error} for a placeholder without a value */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/__([A-Z_]+)__/g, (all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has ${all}, which has no value`);
    return value;
  });
}

function folderOfTemplates(): string {
  return isPackaged ? packagedFile(TEMPLATES) : join(import.meta.dirname, TEMPLATES);
}

function template(path: string): string {
  return readFileSync(join(folderOfTemplates(), path), 'utf8');
}

function templatesIn(folder: string): string[] {
  return readdirSync(join(folderOfTemplates(), folder))
    .sort()
    .map((name) => `${folder}/${name}`);
}
