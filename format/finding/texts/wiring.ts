/** The texts of the findings about wired fences in INTEGRATION.md. See `finding-text.ts`. */
import type { FindingText } from './finding-text.ts';

const WHY =
  'Clients carry out wired fences in projects. One that is not completely clear is left to people, who rely on it.';
const SEE = 'Follow docs/integration-guide.md, which describes the form.';

export const WIRING_TEXTS = {
  'wiring-place': wiring(
    () => 'A wired fence is not in a numbered step of the section "Steps"',
    `Move it into a step, or leave out the word "wire". ${SEE}`,
  ),
  'wiring-hidden': wiring(
    (a) =>
      `A wired fence is ${a['where']}: its page does not show it as code, so no client carries it out`,
    'Write the step without HTML around it, and close HTML before it in the same list item, or leave out the word "wire".',
  ),
  'wiring-language': wiring(
    (a) => `A wired fence has the language "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-verb': wiring(
    (a) => `A wired fence has the verb "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-target': wiring(
    (a) => `A wired fence has the target "${a['found']}": it must be ${a['wanted']}`,
    `Name a source file of the project, or a role. ${SEE}`,
  ),
  'wiring-anchor': wiring(
    (a) => `A wired fence has the anchor "${a['found']}": it must be ${a['wanted']}`,
    SEE,
  ),
  'wiring-unclosed': wiring(
    () => 'A wired fence has no closing marks',
    'Close it with the marks that opened it, at the same indentation.',
  ),
  'wiring-empty': wiring(() => 'A wired fence has no content', 'Write the block, or remove it.'),
  'wiring-block-syntax': wiring(
    (a) => `The block of a wired fence is not ${a['wanted']}`,
    'Correct the syntax: whole statements for "import" and "insert", one expression for the others.',
  ),
  'wiring-block-name': wiring(
    (a) => `The block of a wired fence uses "${a['name']}", which nothing in its step binds`,
    'Import it in the same step, or use only what the anchor provides.',
  ),
  'wiring-block-import': wiring(
    (a) =>
      `The block of a wired fence imports "${a['specifier']}": it may import files of the build, of builds that it requires, and declared packages`,
    'Correct the path, or declare the build or the package in stackyard.json.',
  ),
} as const satisfies Record<string, FindingText>;

function wiring(message: FindingText['message'], remedy: string): FindingText {
  return { group: 'manifest', level: 'error', message, why: WHY, remedy };
}
