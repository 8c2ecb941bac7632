/** What the settings of coding agents make run. */
import { parse as parseToml } from 'smol-toml';
import { readJsonObject, isObject } from '../text/json-text.ts';
import { whole, commandLine, type AutorunEntry } from './packages.ts';

const WORKS = 'a coding agent works';
const STARTS = 'a coding agent starts';

/** Settings of coding agents with hooks. */
export function readAgentHooks(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const found = commandsUnder(config['hooks']).map(({ key, value }) =>
    whole(`the hook "${key}"`, WORKS, 'warn', value.slice(0, 40), value),
  );
  const helper = config['apiKeyHelper'] ?? config['statusLine'];
  if (typeof helper === 'string')
    found.push(whole('a helper program', WORKS, 'warn', helper.slice(0, 40), helper));
  const all = 'enableAllProjectMcpServers';
  if (config[all] === true)
    found.push(whole('every server that the project names', STARTS, 'warn', all));
  return found;
}

function commandsUnder(value: unknown, key = '', depth = 0): { key: string; value: string }[] {
  if (depth > 8) return [];
  if (Array.isArray(value))
    return value.slice(0, 100).flatMap((one: unknown) => commandsUnder(one, key, depth + 1));
  if (!isObject(value)) return [];
  const own = typeof value['command'] === 'string' ? [{ key, value: commandLine(value) }] : [];
  return [
    ...own,
    ...Object.entries(value)
      .slice(0, 100)
      .flatMap(([name, one]) => commandsUnder(one, depth === 0 ? name : key, depth + 1)),
  ];
}

/** Servers that coding agents start. */
export function readMcp(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const servers = config['mcpServers'] ?? config['servers'];
  return (isObject(servers) ? Object.entries(servers) : [])
    .slice(0, 100)
    .flatMap(([name, server]) => {
      const shell = isObject(server) ? commandLine(server) : '';
      const entry = whole(`the server "${name}"`, STARTS, 'warn', JSON.stringify(name), shell);
      return shell === '' ? [] : [entry];
    });
}

/** `.codex/config.toml`. */
export function readCodex(text: string): AutorunEntry[] {
  try {
    const config = parseToml(text);
    const found: AutorunEntry[] = commandsUnder(config['mcp_servers']).map(({ key, value }) =>
      whole(`the server "${key}"`, STARTS, 'warn', value.slice(0, 20), value),
    );
    if (config['approval_policy'] === 'never' || config['sandbox_mode'] === 'danger-full-access')
      found.push(whole('anything', WORKS, 'error', 'approval_policy'));
    return found;
  } catch {
    return [];
  }
}
