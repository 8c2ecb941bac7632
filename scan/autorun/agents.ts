/** What the files of a project cause coding agents to run. */
import { parse as parseToml } from 'smol-toml';
import { isObject, readJsonObject } from '../text/json-text.ts';
import { commandLine, whole, type AutorunEntry } from './entry.ts';

/** Settings of coding agents with hooks. */
export function readAgentHooks(text: string): AutorunEntry[] {
  const config = readJsonObject(text) ?? {};
  const found: AutorunEntry[] = [];
  for (const { key, value } of commandsUnder(config['hooks'])) {
    found.push({
      what: `the hook "${key}"`,
      when: 'a coding agent works',
      level: 'warn',
      shell: value,
      near: value.slice(0, 40),
    });
  }
  const helper = config['apiKeyHelper'] ?? config['statusLine'];
  if (typeof helper === 'string')
    found.push({
      what: 'a helper program',
      when: 'a coding agent works',
      level: 'warn',
      shell: helper,
      near: helper.slice(0, 40),
    });
  if (config['enableAllProjectMcpServers'] === true)
    found.push({
      ...whole('every server that the project names', 'a coding agent starts', 'warn'),
      near: 'enableAllProjectMcpServers',
    });
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
            {
              what: `the server "${name}"`,
              when: 'a coding agent starts',
              level: 'warn' as const,
              shell,
              near: JSON.stringify(name),
            },
          ];
    });
}

/** `.codex/config.toml`. */
export function readCodex(text: string): AutorunEntry[] {
  try {
    const config = parseToml(text);
    const found: AutorunEntry[] = commandsUnder(config['mcp_servers']).map(({ key, value }) => ({
      what: `the server "${key}"`,
      when: 'a coding agent starts',
      level: 'warn',
      shell: value,
      near: value.slice(0, 20),
    }));
    if (config['approval_policy'] === 'never' || config['sandbox_mode'] === 'danger-full-access')
      found.push({
        ...whole('anything', 'a coding agent works', 'error'),
        near: 'approval_policy',
      });
    return found;
  } catch {
    return [];
  }
}
