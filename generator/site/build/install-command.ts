/** The commands that install a build from this registry, one for each package manager. */
import { CLIENT_PATH } from '../../../format/index/layout.ts';
import { escapeMarkup, html, trusted, type Html } from '../html.ts';
import type { PageSite } from '../site.ts';

/** Stands for the address of a registry that does not know its own; the browser module puts it in. */
export const UNKNOWN_ADDRESS = '<registry>';

interface Installed {
  readonly id: string;
  readonly kind: 'module' | 'foundation';
  /** A version that is not the latest. */
  readonly version?: string | undefined;
}

/** The arguments of the client: a foundation starts a project, a module is added to one. */
export function actionOf({ id, kind, version }: Installed): string {
  const what = version === undefined ? id : `${id}@${version}`;
  return kind === 'foundation' ? `new ${what} my-app` : `add ${what}`;
}

/** Name of the package manager to the command; a registry without a client has one, for an installed one. */
export function clientCommands(
  { address, hasClient }: Pick<PageSite, 'address' | 'hasClient'>,
  action: string,
): Readonly<Record<string, string>> {
  const base = address === '' ? UNKNOWN_ADDRESS : address;
  if (!hasClient) return { stackyard: `stackyard ${action} --registry ${base}` };
  const client = `${base}/${CLIENT_PATH}`;
  return {
    npm: `npx --yes ${client} ${action}`,
    pnpm: `pnpm dlx ${client} ${action}`,
    bun: `bunx --package ${client} stackyard ${action}`,
  };
}

/** The commands as tabs. @param prefix of the ids of the elements that are copied */
export function commandTabs(site: PageSite, action: string, prefix: string): Html {
  const commands = Object.entries(clientCommands(site, action));
  return html`<div class="tabs" data-tabs="manager">
${commands.map(
  ([manager, command]) => html`<div class="tab-panel" data-tab="${manager}" data-label="${manager}">
${commands.length > 1 ? html`<span class="tab-name">${manager}</span>` : ''}${commandLine(command, `${prefix}-${manager}`)}
</div>
`,
)}</div>`;
}

/** One command with a button that copies it. */
export function commandLine(command: string, id: string): Html {
  return html`<div class="command"><pre tabindex="0"><code id="${id}">${withAddress(command)}</code></pre><button type="button" class="copy" data-copy="${id}" hidden>Copy</button></div>`;
}

function withAddress(command: string): Html {
  const [before = '', ...after] = command.split(UNKNOWN_ADDRESS);
  return html`${before}${after.map((text) => html`${registryMark()}${text}`)}`;
}

/** Where the browser module puts the address of the registry. */
export function registryMark(): Html {
  return trusted(`<span data-registry-address>${escapeMarkup(UNKNOWN_ADDRESS)}</span>`);
}
