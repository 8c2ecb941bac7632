import { describe, expect, it } from 'vitest';
import { canonicalJavaScript } from './names.ts';

describe('canonicalJavaScript()', () => {
  it.each([
    ['child_process.exec', 'child_process.exec'],
    ['node:child_process.exec', 'child_process.exec'],
    ['child_process.default.exec', 'child_process.exec'],
    ['fs/promises.readFile', 'fs.readFile'],
    ['fs.promises.readFile', 'fs.readFile'],
    ['fs-extra.copy', 'fs.copy'],
    ['fs-extra-promise.copy', 'fs.copy'],
    ['fs-extraordinary.copy', 'fs-extraordinary.copy'],
    ['dns/promises.lookup', 'dns.lookup'],
    ['https.get', 'http.get'],
    ['follow-redirects.https.get', 'http.get'],
    ['cross-spawn', 'child_process.spawn'],
    ['cross-spawn.sync', 'child_process.spawn'],
    ['execa', 'child_process.exec'],
    ['execa.$', 'child_process.exec'],
    ['zx.$', 'child_process.exec'],
    ['zx.$$', 'zx.$$'],
    ['node-fetch', 'fetch'],
    ['cross-fetch.fetch', 'fetch'],
    ['request-promise.post', 'request.post'],
    ['@cypress/request.get', 'request.get'],
    ['axios.Axios.get', 'axios.get'],
    ['module._load', 'require'],
    ['process.mainModule.require', 'require'],
    ['require.cache.x', '$cache.x'],
    ['jQuery.ajax', '$.ajax'],
    ['window.fetch', 'fetch'],
    ['process.stdout.write', '$process'],
    ['process.versions', 'process.versions'],
    ['process.env', 'process.env'],
    ['Array.constructor', 'Function'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalJavaScript(name)).toBe(canonical);
  });
});
