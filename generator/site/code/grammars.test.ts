import { createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { expect, it } from 'vitest';
import { GRAMMARS } from './grammars.ts';

it('GRAMMARS has the grammar of each language under its own name', async () => {
  const engine = createJavaScriptRegexEngine({ forgiving: true });
  const highlighter = await createHighlighterCore({ langs: Object.values(GRAMMARS), engine });
  expect(highlighter.getLoadedLanguages()).toEqual(expect.arrayContaining(Object.keys(GRAMMARS)));
  highlighter.dispose();
});
