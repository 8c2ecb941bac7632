import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RegistryConfig, WAITING_REASONS } from '../../format/registry/registry-config.ts';
import { REASON_TEXTS, reason } from './reasons.ts';
import { waitingHours } from './judge-pull-request.ts';

type ReasonCode = Parameters<typeof reason>[0];

const codes = fc.constantFrom(...(Object.keys(REASON_TEXTS) as ReasonCode[]));
const config = fc
  .dictionary(fc.constantFrom(...WAITING_REASONS), fc.integer({ min: 1, max: 8_760 }))
  .map((waiting_hours) => RegistryConfig.parse({ waiting_hours }));

describe('waitingHours()', () => {
  it('is the longest period, and none as soon as one reason has none', () => {
    const { waiting_hours } = RegistryConfig.parse({
      waiting_hours: { 'gate-new-name': 24, 'gate-name-like': 72 },
    });
    const hours = (...all: ReasonCode[]): number | undefined =>
      waitingHours(
        all.map((code) => reason(code, '')),
        RegistryConfig.parse({ waiting_hours }),
      );
    expect(hours('gate-new-name')).toBe(24);
    expect(hours('gate-new-name', 'gate-name-like')).toBe(72);
    expect(hours('gate-new-name', 'gate-first-build')).toBeUndefined();
    expect(hours('gate-new-name', 'gate-no-build')).toBeUndefined();
    expect(hours()).toBeUndefined();
  });

  it('never gives more reasons a shorter period', () => {
    fc.assert(
      fc.property(config, fc.array(codes), codes, (registry, some, more) => {
        const made = [...some, more].map((code) => reason(code, ''));
        const [few = 0, all] = [made.slice(0, -1), made].map((reasons) =>
          reasons.length === 0 ? 0 : (waitingHours(reasons, registry) ?? Infinity),
        );
        expect(all).toBeGreaterThanOrEqual(few);
      }),
    );
  });
});

describe('waiting_hours', () => {
  it('has periods for reasons to review about what a build is, and for no others', () => {
    for (const code of WAITING_REASONS) expect(REASON_TEXTS[code].level).toBe('review');
    // Changes of the registry itself, and of who may do what, need an admin.
    for (const code of ['gate-no-build', 'gate-admin', 'gate-maintainers', 'gate-danger']) {
      expect(RegistryConfig.safeParse({ waiting_hours: { [code]: 24 } }).success).toBe(false);
    }
    expect(RegistryConfig.parse({}).waiting_hours).toEqual({});
    for (const hours of [0, -1, 1.5, 10_000, '24', null]) {
      const waiting_hours = { 'gate-new-name': hours };
      expect(RegistryConfig.safeParse({ waiting_hours }).success).toBe(false);
    }
  });
});
