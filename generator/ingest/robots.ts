/** Which user agents are robots: crawlers, link previews and monitors, by the patterns of `isbot`. */
import { createIsbotFromList, list } from 'isbot';

/**
 * Programs that install, or fetch for someone who does: package managers, CI, and what scripts use. `isbot` finds whatever is no
 * browser, so its patterns that match one of these are left out.
 */
const INSTALLERS: readonly string[] = [
  '-',
  'stackyard/0.1.0',
  'npm/11.0.0 node/v24.0.0 linux x64 workspaces/false',
  'npm/11.0.0%20node/v24.0.0%20linux%20x64%20workspaces/false',
  'pip/24.0',
  'Deno/2.0',
  'curl/8',
  'curl/8.9.1',
  'Wget/1.21',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'okhttp/4.9',
  'Java/17.0.1',
  'claude-code/2.0.0',
  'agent 1',
  'bottle/1.0',
];
const isCrawler = createIsbotFromList(
  list.filter((pattern) => !INSTALLERS.some((agent) => new RegExp(pattern, 'i').test(agent))),
);

/** Names of robots are shorter. */
const MAX_AGENT_LENGTH = 1_000;
/** Whether `agent` names a crawler, link preview or monitor; a missing user agent does not. */
export function isRobot(agent: string): boolean {
  return isCrawler(agent.slice(0, MAX_AGENT_LENGTH));
}
