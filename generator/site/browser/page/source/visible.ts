/** Text of publishers as nodes, in which what is invisible is visible. */
import { replaceHidden } from '../../../html.ts';
import { element } from '../element.ts';

/** What hides in `text` is shown by its name. */
export function visible(text: string): (Node | string)[] {
  // A NUL hides as well: none is left.
  const parts = replaceHidden(text, (name) => `\0${name}\0`).split('\0');
  return parts.flatMap<Node | string>((part, at) => {
    if (part === '') return [];
    return at % 2 === 0 ? [part] : [element('span', 'hidden-character', part)];
  });
}
