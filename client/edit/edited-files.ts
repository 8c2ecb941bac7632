/** The project's own files that are edited for builds. */

export const PACKAGE_JSON = 'package.json';
/** A package.json that is made for builds; it is removed when nothing else is in it. */
export const NEW_PACKAGE_JSON = '{\n  "private": true\n}\n';
export const PYPROJECT = 'pyproject.toml';
export const REQUIREMENTS = 'requirements.txt';
export const DEV_REQUIREMENTS = 'requirements-dev.txt';
export const ENV_EXAMPLE = '.env.example';

/** The files of the project that builds may change in addition to their own. */
export const EDITED_FILES: readonly string[] = [
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
];
