/** What the code of a version does, in words. */
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import { capabilitiesBeyond } from '../../../format/index/capability-gain.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';

const KINDS = {
  hosts: ['Sends to', 'any address that it is given'],
  environment: ['Reads variables', 'variables by a name that is not constant'],
  reads: ['Reads files', 'any path'],
  writes: ['Writes files', 'any path'],
  processes: ['Starts programs', 'programs by a name that is not constant'],
  unread: ['Was not read', 'everything'],
} as const;
const MAX_NAMES = 30;

/** One line for each kind of capability; a sentence when there are none. */
export function capabilityList(lists: CapabilityLists): Html {
  const items = capabilityItems(lists);
  if (items.length === 0) {
    return html`<p class="quiet">Its code sends nothing, reads and writes no files and variables outside of the build, and starts no programs.</p>`;
  }
  return html`<ul class="capabilities">${items}</ul>`;
}

/** What `now` does and `before` did not. */
export function gainedCapabilities(now: CapabilityLists, before: CapabilityLists): Html[] {
  return capabilityItems(capabilitiesBeyond(now, before));
}

function capabilityItems(lists: CapabilityLists): Html[] {
  const items = Object.entries(KINDS).flatMap(([kind, [title, any]]) => {
    const names = lists[kind as keyof typeof KINDS];
    if (names.length === 0) return [];
    const more = names.length - MAX_NAMES;
    const shown = names
      .slice(0, MAX_NAMES)
      .map(
        (name, at) =>
          html`${at === 0 ? '' : ', '}${name === '*' ? any : html`<code>${plain(name)}</code>`}`,
      );
    return [
      html`<li><span>${title}</span><span>${shown}${more > 0 ? ` and ${more} more` : ''}</span></li>\n`,
    ];
  });
  const dynamic = html`<li><span>Runs</span><span>code that it makes while it runs</span></li>\n`;
  return lists.dynamic_code ? [...items, dynamic] : items;
}
