/** Asks for the consent that a plan needs, where someone can answer; otherwise the error names the option that gives it. */
import { ClientError } from '../errors.ts';
import { allowOption, checkConsent, describeConsent } from '../plan/consent.ts';
import type { CommandContext } from './command.ts';

type Consented = Parameters<typeof checkConsent>[0];

/** @throws {ClientError} `ERR_CONSENT` when nobody can answer, `ERR_DECLINED` */
export async function requireConsent(
  plan: Consented,
  { choose }: Pick<CommandContext, 'choose'>,
): Promise<void> {
  const open = plan.consent?.filter(({ given }) => !given) ?? [];
  if (open.length === 0 || choose === undefined) return checkConsent(plan);
  const answer = await choose((ask) =>
    ask.choice(
      ['Programs run these or read them by themselves:', ...describeConsent(open)],
      [
        { key: 'write', label: ' them' },
        { key: 'stop', label: '' },
      ],
    ),
  );
  if (answer === 'write') return;
  throw new ClientError('ERR_DECLINED', 'Nothing was changed: you did not consent', {
    hint: `${allowOption(open, plan.command)} consents without a question`,
  });
}

/** The lines of a dry run. */
export function consentLines({ consent = [], command }: Consented): string[] {
  const open = consent.filter(({ given }) => !given);
  const given = consent.filter((entry) => entry.given);
  return [
    ...(given.length === 0 ? [] : ['With your consent:', ...describeConsent(given)]),
    ...(open.length === 0
      ? []
      : [`Needs your consent (${allowOption(open, command)}):`, ...describeConsent(open)]),
  ];
}
