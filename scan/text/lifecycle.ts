/** Scripts that package managers run automatically. */

/** Run when the project or the package is installed. */
const INSTALL = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
/** Run on the publisher's machine only. */
const PUBLISH = [
  'prepublish',
  'prepublishOnly',
  'prepack',
  'postpack',
  'publish',
  'postpublish',
  'preversion',
  'version',
  'postversion',
  'dependencies',
];
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set(INSTALL);
const LIFECYCLE: ReadonlySet<string> = new Set([...INSTALL, ...PUBLISH]);

export function isInstallScript(name: string): boolean {
  return INSTALL_SCRIPTS.has(name);
}

/** Whether a package manager runs the script `name` automatically. */
export function isLifecycleScript(name: string): boolean {
  return LIFECYCLE.has(name);
}
