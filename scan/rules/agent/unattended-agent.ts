/** Commands that start an assistant with all rights: it does what its prompt, or a text that it reads, asks for. */
import { commandFindings } from '../../evidence/commands.ts';
import type { Rule } from '../../rule.ts';

export const unattendedAgent: Rule = {
  name: 'unattended-agent',
  run: (build) => commandFindings(build, 'unattended-agent'),
};
