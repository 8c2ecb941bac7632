/** The texts of the findings about where code comes from and what it pulls in. See `finding-text.ts`. */
import { type FindingText, textsOf } from './finding-text.ts';

const safety = textsOf('safety');
const quality = textsOf('quality');
const supplyChain = textsOf('supply-chain');

const SOURCE_WHY =
  'What is not in a registry has no fixed version, no digest that others see, and nobody who can take it down.';
const SOURCE_REMEDY = 'Depend on a version in the registry, or take the code into the build.';
const NAME_WHY =
  'Malicious packages take names that people type by mistake or trust at first sight.';

export const SUPPLY_CHAIN_TEXTS = {
  'stack-range-unproven': supplyChain.info(
    (a) =>
      `Range "${a['range']}" of "${a['tag']}" admits ${a['admitted']}, with which version ${a['measured']} failed: ${a['failure']}`,
    'The registry has measured that the previous version does not work with a version that this range admits.',
    'Narrow the range, or correct the code; the finding ends when this version was measured to work with it.',
  ),
  'dependency-name': safety.warn(
    // Not `supply-chain`: it does harm, and risk is computed from safety findings.
    (a) => `Dependency "${a['name']}" can be mistaken for "${a['popular']}": ${a['slip']}`,
    NAME_WHY,
    'Correct the name. If you mean this package, report it to the registry, which keeps a list of such names.',
  ),
  'dependency-name-own': safety.warn(
    (a) => `Calls itself "${a['name']}", which can be mistaken for "${a['popular']}": ${a['slip']}`,
    NAME_WHY,
    'Choose another name for the package.',
  ),
  'dependency-source-address': safety.warn(
    (a) => `Dependency "${a['name']}" comes from ${a['what']}: "${a['source']}"`,
    SOURCE_WHY,
    SOURCE_REMEDY,
  ),
  'dependency-source-git': supplyChain.info(
    (a) => `Dependency "${a['name']}" comes from ${a['what']}: "${a['source']}"`,
    SOURCE_WHY,
    `${SOURCE_REMEDY} At least name the whole commit.`,
  ),
  'dependency-source-folder': supplyChain.info(
    (a) => `Dependency "${a['name']}" comes from ${a['what']}: "${a['source']}"`,
    'A folder outside the build is not there where the build is installed.',
    'Name a version, or require the build that places the folder.',
  ),
  'dependency-source-alias': safety.info(
    (a) => `Dependency "${a['name']}" is ${a['what']}: "${a['source']}"`,
    'An alias puts one package under the name of another.',
    'Depend on the package under its own name.',
  ),
  'dependency-range': quality.warn(
    (a) => `Dependency "${a['name']}" has no upper end: "${a['range']}"`,
    'The next major version may break projects that are installed after it, and a stolen one reaches them all. With a lowest version this is a note: the project has a lock, and who tests a range decides how far it goes.',
    'Name the major versions that the build is tested with, such as "^1.2.0" or ">=1.2,<2".',
  ),
  'dependency-unused': quality.warn(
    (a) => `Dependency "${a['name']}" is used by no file of the build`,
    'Every package costs time, space and trust.',
    'Remove the dependency, or move it to "devDependencies" if only tests need it.',
  ),
  'dependency-undeclared': quality.warn(
    (a) => `The code imports "${a['name']}" and no ${a['registry']} dependency declares it`,
    'In a project that does not happen to have the package the import fails, or finds another one.',
    'Declare it in "dependencies", or in "stack.requires" if the project must have it already.',
  ),
  'dependency-undeclared-alias': quality.warn(
    (a) => `The code imports "${a['specifier']}" by an alias that a project may not have`,
    'Where the project lacks the alias, the import fails.',
    'Import it by its relative path, which an installation adapts.',
  ),
  'capability-gained': supplyChain.info(
    (a) => `This version can ${a['can']}; ${a['version']} could not`,
    'New capabilities are the first sign that a build was taken over.',
    'Nothing, if it is intended: mention it in the changelog.',
  ),
  'publication-time-before': supplyChain.info(
    (a) =>
      `It is dated ${a['at']}, before the earlier version ${a['earlier']}, which is of ${a['time']}`,
    'A clock was wrong, or a time was made up: ages of versions mislead here.',
    'Correct the clock of the machine that merges.',
  ),
  'requires-build-missing': supplyChain.warn(
    (a) => `Requires build "${a['build']}", which the registry did not have`,
    'The version cannot be installed, and the first publisher of that name decides what it installs.',
    'Correct the id, or publish that build first.',
  ),
  'requires-build-range': supplyChain.warn(
    (a) => `Requires build "${a['build']}" at "${a['range']}", and no version was in that range`,
    'The version cannot be installed.',
    'Correct the range, or publish such a version first.',
  ),
  'requires-withdrawn-all': supplyChain.warn(
    (a) =>
      `Requires "${a['build']}" at "${a['range']}": version ${a['versions']} was withdrawn, and no other one in the range is left`,
    'The version cannot be installed in a project that does not have the withdrawn one already.',
    'Publish a version that requires another range or another build.',
  ),
  'requires-withdrawn-some': supplyChain.info(
    (a) =>
      `Requires "${a['build']}" at "${a['range']}": version ${a['versions']} was withdrawn, and others in the range are left`,
    'Its owner removed the content of the version completely, as after the publication of a secret.',
    'Test with the versions that are left, and exclude the withdrawn one from the range.',
  ),
} as const satisfies Record<string, FindingText>;
