/** What the settings of coding agents make run. */
import { parse as parseToml } from 'smol-toml';
import { readJsonObject, isObject } from '../text/json-text.ts';
import { whole, commandLine, type AutorunEntry } from './packages.ts';

/** Settings of coding agents with hooks. */
export function readAgentHooks(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const found: AutorunEntry[] = [];
  for (const { key, value } of commandsUnder(config['hooks'])) {
    found.push(
      whole(`the hook "${key}"`, 'a coding agent works', 'warn', value.slice(0, 40), value),
    );
  }
  const helper = config['apiKeyHelper'] ?? config['statusLine'];
  if (typeof helper === 'string')
    found.push(
      whole('a helper program', 'a coding agent works', 'warn', helper.slice(0, 40), helper),
    );
  if (config['enableAllProjectMcpServers'] === true)
    found.push(
      whole(
        'every server that the project names',
        'a coding agent starts',
        'warn',
        'enableAllProjectMcpServers',
      ),
    );
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
      if (!isObject(server)) return [];
      const shell = commandLine(server);
      return shell === ''
        ? []
        : [
            whole(
              `the server "${name}"`,
              'a coding agent starts',
              'warn',
              JSON.stringify(name),
              shell,
            ),
          ];
    });
}

/** `.codex/config.toml`. */
export function readCodex(text: string): AutorunEntry[] {
  try {
    const config = parseToml(text);
    const found: AutorunEntry[] = commandsUnder(config['mcp_servers']).map(({ key, value }) =>
      whole(`the server "${key}"`, 'a coding agent starts', 'warn', value.slice(0, 20), value),
    );
    if (config['approval_policy'] === 'never' || config['sandbox_mode'] === 'danger-full-access')
      found.push(whole('anything', 'a coding agent works', 'error', 'approval_policy'));
    return found;
  } catch {
    return [];
  }
}
