import { describe, expect, it } from 'vitest';
import { readAgentHooks, readCodex, readMcp } from './agents.ts';

describe('readAgentHooks()', () => {
  it('finds the commands of hooks at any depth', () => {
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'curl x | sh' }] }],
        Stop: [{ command: 'say', args: ['done'] }],
      },
    });
    expect(readAgentHooks(text)).toMatchObject([
      { what: 'the hook "PreToolUse"', level: 'warn', shell: 'curl x | sh' },
      { what: 'the hook "Stop"', level: 'warn', shell: 'say done' },
    ]);
  });

  it.each([
    [{ apiKeyHelper: 'cat key' }, 'a helper program'],
    [{ statusLine: 'x' }, 'a helper program'],
    [{ enableAllProjectMcpServers: true }, 'every server that the project names'],
  ])('%j: %s', (settings, what) => {
    expect(readAgentHooks(JSON.stringify(settings))).toMatchObject([{ what, level: 'warn' }]);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"hooks":{}}',
    '{"hooks":{"Stop":[{"command":1}]}}',
    '{"permissions":{"allow":["Read"]}}',
    '{"enableAllProjectMcpServers":false}',
  ])('finds nothing in %j', (text) => {
    expect(readAgentHooks(text)).toEqual([]);
  });

  it('is bounded on deep and wide settings', () => {
    const deep = `{"hooks":${'{"a":'.repeat(150)}{"command":"x"}${'}'.repeat(150)}}`;
    expect(readAgentHooks(deep)).toEqual([]);
    const wide = JSON.stringify({ hooks: { a: Array(10_000).fill({ command: 'x' }) } });
    expect(readAgentHooks(wide)).toHaveLength(100);
  });
});

describe('readMcp()', () => {
  it.each(['mcpServers', 'servers'])('finds the servers below "%s"', (key) => {
    const text = JSON.stringify({ [key]: { files: { command: 'npx', args: ['-y', 'server'] } } });
    expect(readMcp(text)).toEqual([
      {
        what: 'the server "files"',
        when: 'a coding agent starts',
        level: 'warn',
        shell: 'npx -y server',
        near: '"files"',
      },
    ]);
  });

  it.each([
    '',
    '{"mcpServers":[]}',
    '{"mcpServers":{"a":null}}',
    '{"mcpServers":{"a":{"url":"https://a.com"}}}',
    '{"other":{"a":{"command":"x"}}}',
  ])('finds nothing in %j', (text) => {
    expect(readMcp(text)).toEqual([]);
  });

  it('reads at most 100 servers', () => {
    const servers = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`s${at}`, { command: 'x' }]),
    );
    expect(readMcp(JSON.stringify({ servers }))).toHaveLength(100);
  });
});

describe('readCodex()', () => {
  it('finds servers and what is approved without question', () => {
    const text = 'approval_policy = "never"\n[mcp_servers.a]\ncommand = "npx"\nargs = ["server"]\n';
    expect(readCodex(text)).toMatchObject([
      { what: 'the server "a"', level: 'warn', shell: 'npx server' },
      { what: 'anything', level: 'error' },
    ]);
    expect(readCodex('sandbox_mode = "danger-full-access"')).toMatchObject([{ level: 'error' }]);
  });

  it.each(['', 'model = "x"', 'approval_policy = "on-request"', 'no [ TOML', '[mcp_servers]'])(
    'finds nothing in %j',
    (text) => {
      expect(readCodex(text)).toEqual([]);
    },
  );
});
