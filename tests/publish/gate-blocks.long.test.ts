/** What a wired block would do in an application is judged as the same code in a file of the build. */
import { expect, test } from 'vitest';
import type { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { build } from '../generate/git-fixture.ts';
import { GateFixture, REGISTRY } from './gate-fixture.ts';

const IMPORTS = "import { spawn } from 'node:child_process';\n";
const CODE = "spawn('sh', ['-c', 'id']);\n";
const WHOLE = `${IMPORTS}export function step(app: any): void {\n${CODE}}\n`;

const SOURCE = "export const name = 'web';\n";
const HARMLESS =
  '```ts wire insert @express routes\n' + "app.get('/a', (_req, res) => res.end());\n" + '```\n';

function guide(fences: string): string {
  return `# Integrate\n\n## Steps\n\n1. Mount:\n\n${fences.replaceAll(/^(?=.)/gm, '   ')}`;
}

async function judge(files: Record<string, string>): Promise<GateVerdict> {
  const before = { 'src/index.ts': SOURCE, 'INTEGRATION.md': guide(HARMLESS) };
  const gate = new GateFixture({ ...REGISTRY, ...build('alice/web-forms', '1.0.0', {}, before) });
  return gate.propose(build('alice/web-forms', '1.1.0', {}, { ...before, ...files }));
}

/** What the gate decides, and what it states of the code; the place alone decides about consent. */
function decision({ verdict, reasons, builds: [judged] }: GateVerdict): object {
  const ofGate = reasons.filter(({ code }) => /^gate-(?!consent)/.test(code));
  const { risk, gained, lost } = judged!;
  const texts = ofGate.map(({ code, message }) => `${code}: ${message}`).sort();
  return { verdict, texts, risk, gained, lost };
}

test.each([
  ['is the whole of a new file', `\`\`\`ts wire file src/step.ts\n${WHOLE}\`\`\`\n`],
  ['is the whole of a new file, as text', `\`\`\`text wire file src/step.ts\n${WHOLE}\`\`\`\n`],
  [
    'is the whole of a file that is called a test',
    `\`\`\`ts wire file src/step.test.ts\n${WHOLE}\`\`\`\n`,
  ],
  ['is added to a file as lines', `\`\`\`text wire lines src/step.ts\n${WHOLE}\`\`\`\n`],
  [
    'is put between statements',
    `\`\`\`ts wire import @express\n${IMPORTS}\`\`\`\n\n\`\`\`ts wire insert @express routes\n${CODE}\`\`\`\n`,
  ],
  [
    'is an alternative',
    `${HARMLESS}\nOtherwise:\n\n\`\`\`ts wire file src/step.ts\n${WHOLE}\`\`\`\n`,
  ],
])('a block that starts a program and %s is judged like a file', async (_, fences) => {
  const asFile = decision(await judge({ 'src/step.ts': WHOLE }));
  const asBlock = decision(await judge({ 'INTEGRATION.md': guide(`${HARMLESS}\n${fences}`) }));
  expect(asFile).toMatchObject({ verdict: 'review' });
  expect(asBlock).toEqual(asFile);
});

test('a block that needs nothing new needs no review', async () => {
  const more = HARMLESS.replace("'/a'", "'/b'");
  expect((await judge({ 'INTEGRATION.md': guide(`${HARMLESS}\n${more}`) })).verdict).toBe('merge');
});
