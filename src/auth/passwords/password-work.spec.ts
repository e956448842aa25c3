import { PasswordWork } from './password-work.js';

describe('the work with passwords', () => {
  let work: PasswordWork;
  let began: number;
  let finish: (() => void)[];

  beforeEach(() => {
    work = new PasswordWork();
    began = 0;
    finish = [];
  });

  const begin = () =>
    work.inTurn(() => {
      began++;
      return new Promise<void>((resolve) => finish.push(resolve));
    });

  const settled = () => new Promise(setImmediate);

  it('is done two at a time, one after the other as they came', async () => {
    const all = Array.from({ length: 5 }, begin);
    await settled();
    expect(began).toBe(2);
    finish[0]!();
    await settled();
    expect(began).toBe(3);
    for (const done of [1, 2]) finish[done]!();
    await settled();
    expect(began).toBe(5);
    for (const done of [3, 4]) finish[done]!();
    await Promise.all(all);
  });

  it('goes on when some of it fails', async () => {
    const failing = Array.from({ length: 3 }, () => work.inTurn(() => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    const last = begin();
    await settled();
    expect(began).toBe(1);
    finish[0]!();
    await last;
  });

  it('lets sixteen wait, and refuses more', async () => {
    const all = Array.from({ length: 18 }, begin);
    await expect(begin()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    for (let done = 0; done < 18; done++) {
      await settled();
      finish[done]!();
    }
    await Promise.all(all);
    expect(began).toBe(18);
  });
});
