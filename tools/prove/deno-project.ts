/** A server on Deno, as `deno init` makes it. */
import type { ProjectKind } from './project-kind.ts';
import { NPM_TOOLS } from './toolbox.ts';

const ASSERT = 'import { assertEquals } from "@std/assert";';

const PORT_TEST = `import { equal } from "node:assert/strict";
import { readPort } from "./ports/read-port.ts";

Deno.test("readPort() reads a port, and nothing else", () => {
  equal(readPort("8080"), 8080);
  equal(readPort("80800"), undefined);
});
`;

export const DENO: ProjectKind = {
  name: 'Deno',
  made: `\`deno init\` of ${NPM_TOOLS.deno}; its test imports \`node:assert/strict\` instead of a package of JSR`,
  create: ['mkdir "$NAME" && cd "$NAME" && deno init'],
  files: {},
  edits: {
    'deno.json': [[',\n  "imports": {\n    "@std/assert": "jsr:@std/assert@1"\n  }', '']],
    'main_test.ts': [[ASSERT, 'import { deepEqual as assertEquals } from "node:assert/strict";']],
  },
  install: ['deno install'],
  typeCheck: 'deno check',
  test: 'deno test -A',
  written: ['deno.lock'],
  trials: [
    {
      build: 'ports',
      uses: [
        {
          what: 'a test that imports it',
          files: { 'ports_test.ts': PORT_TEST },
          command: 'deno check && deno test -A',
        },
      ],
      afterRemoval: 'deno remove zod',
    },
  ],
};
