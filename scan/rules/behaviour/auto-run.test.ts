/** Each kind of file, and text in it that runs something. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autorunEntries } from './auto-run.ts';
import { installScriptKind } from '../../autorun/install-script.ts';
import { readAgentHooks, readCodex, readMcp } from '../../autorun/agents.ts';

const RUNNING: readonly (readonly [string, string])[] = [
  ['.npmrc', 'script-shell=./x'],
  ['pkg/.yarnrc.yml', 'yarnPath: ./x'],
  ['.pnpmfile.cjs', ''],
  ['binding.gyp', '{}'],
  ['sitecustomize.py', ''],
  ['src/usercustomize.py', ''],
  ['a.pth', 'import os'],
  ['tests/conftest.py', ''],
  ['setup.py', ''],
  ['.vscode/tasks.json', '{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}'],
  ['.vscode/settings.json', '{"git.path":"./git"}'],
  ['.devcontainer/devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.devcontainer/py/devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.devcontainer.json', '{"postCreateCommand":"x"}'],
  ['.husky/pre-commit', ''],
  ['.pre-commit-config.yaml', ''],
  ['lefthook.yml', ''],
  ['.github/workflows/a.yaml', ''],
  ['.envrc', ''],
  ['.claude/settings.local.json', '{"apiKeyHelper":"x"}'],
  ['.cursor/hooks.json', '{"hooks":{"a":[{"command":"x"}]}}'],
  ['.mcp.json', '{"mcpServers":{"a":{"command":"x"}}}'],
  ['.cursor/mcp.json', '{"mcpServers":{"a":{"command":"x"}}}'],
  ['.codex/config.toml', 'approval_policy = "never"'],
  ['.gitconfig', '[core]\nfsmonitor=./x'],
];

describe('autorunEntries()', () => {
  it.each(RUNNING)('%s with %j', (path, text) => {
    expect(autorunEntries(path, text)).toHaveLength(1);
  });

  it.each([
    ['npmrc', 'script-shell=./x'],
    ['my.npmrc', 'script-shell=./x'],
    ['docs/tasks.json', '{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}'],
    ['github/workflows/a.yml', ''],
    ['.github/workflows/sub/a.yml', ''],
    ['setup.pyc', ''],
    ['mysetup.py', ''],
    ['a.pth.txt', 'import os'],
    ['.husky/_/husky.sh', ''],
    ['claude/settings.json', '{"apiKeyHelper":"x"}'],
    ['README.md', ''],
  ])('%s runs nothing by itself', (path, text) => {
    expect(autorunEntries(path, text)).toEqual([]);
  });

  it('never throws, whatever the file holds', () => {
    const path = fc.constantFrom(...RUNNING.map(([one]) => one));
    fc.assert(
      fc.property(path, fc.string({ maxLength: 200 }), (name, text) => {
        expect(autorunEntries(name, text)).toEqual(expect.any(Array));
      }),
      { numRuns: 300 },
    );
  });

  it('reads the beginning of a large file', () => {
    const text = `${'a=b\n'.repeat(300_000)}script-shell=./x`;
    expect(autorunEntries('.npmrc', text)).toEqual([]);
  });
});

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

function kindOf(postinstall: string, scripts: Readonly<Record<string, string>> = {}): string {
  return installScriptKind('postinstall', { postinstall, ...scripts });
}

describe('installScriptKind()', () => {
  it.each([
    ['node-gyp rebuild', 'tool'],
    ['husky || true', 'tool'],
    ['tsc && vite build', 'tool'],
    ['npm run build', 'tool'],
    ['npm ci', 'tool'],
    ['npx husky install', 'tool'],
    ['A=b cross-env-shell tsc', 'tool'],
    ['', 'tool'],
    ['node scripts/postinstall.js', 'own'],
    ['./setup.sh', 'own'],
    ['sh setup.sh', 'own'],
    ['python3 setup.py', 'own'],
    ['npx some-unknown-tool', 'own'],
    ['node -e \'require("./x")\'', 'own'],
    ['node -e \'require("child_process")\'', 'inline'],
    [`node -e '${'x;'.repeat(101)}'`, 'inline'],
    ['npm install other-package', 'inline'],
    ['curl https://a.com/x', 'fetch'],
    ['wget https://a.com/x -O a || true', 'fetch'],
    ['node -e \'fetch("https://a.com")\'', 'fetch'],
    ["python3 -c 'import base64'", 'fetch'],
    ['tsc; node a.js; curl https://a.com', 'fetch'],
  ])('%s: %s', (script, kind) => {
    expect(kindOf(script)).toBe(kind);
  });

  it.each([
    ['npm run setup', { setup: 'node a.js' }, 'own'],
    ['yarn setup', { setup: 'curl https://a.com' }, 'fetch'],
    ['npm run a', { a: 'npm run b', b: 'curl https://a.com' }, 'fetch'],
    ['npm run missing', {}, 'tool'],
    ['npm run toString', {}, 'tool'],
  ])('follows %s in %j: %s', (script, scripts, kind) => {
    expect(kindOf(script, scripts)).toBe(kind);
  });

  it('ends where scripts call each other', () => {
    expect(
      kindOf('npm run postinstall && npm run a', { a: 'npm run postinstall; npm run a' }),
    ).toBe('tool');
  });

  it('reads the beginning of a long script', () => {
    expect(kindOf(`${'tsc;'.repeat(10_000)}curl https://a.com`)).toBe('tool');
  });
});
