import { describe, expect, it } from 'vitest';
import { isInstallScript, isLifecycleScript } from './lifecycle.ts';

describe('isInstallScript(), isLifecycleScript()', () => {
  it.each([
    ['postinstall', true, true],
    ['prepare', true, true],
    ['prepublishOnly', false, true],
    ['dependencies', false, true],
    ['build', false, false],
    ['postbuild', false, false],
    ['toString', false, false],
    ['', false, false],
  ])('%s: %j, %j', (name, isInstall, isLifecycle) => {
    expect([isInstallScript(name), isLifecycleScript(name)]).toEqual([isInstall, isLifecycle]);
  });
});
