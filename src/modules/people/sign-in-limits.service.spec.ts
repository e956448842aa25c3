import {
  type AttemptLimit,
  codeLimits,
  invitationLimits,
  ownPasswordLimits,
  passwordLimits,
  resetLimits,
} from './sign-in-limits.service.js';

const ADDRESS = '203.0.113.9';

describe('Two accounts behind one address', () => {
  it.each<[string, (account: number) => AttemptLimit[], number]>([
    ['codes', (account) => codeLimits(account, ADDRESS, false), 0],
    ['own passwords', ownPasswordLimits, 0],
    ['invitations', (account) => invitationLimits(account, account), 0],
    ['passwords', (account) => passwordLimits(String(account), ADDRESS, false), 1],
    ['links', (account) => resetLimits(String(account), ADDRESS), 1],
  ])('share of the attempts at %s only those that the address limits', (_, limitsOf, count) => {
    const [one, other] = [1, 2].map((account) => limitsOf(account).map(({ key }) => key));
    expect(one!.filter((key) => other!.includes(key))).toHaveLength(count);
  });
});
