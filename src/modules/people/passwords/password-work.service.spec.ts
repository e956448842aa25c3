import { jest } from '@jest/globals';
import { PasswordWorkService } from './password-work.service.js';

describe('the work with passwords', () => {
  let work: PasswordWorkService;
  let began: string[];
  let undone: string[];
  let finish: Record<string, () => void>;

  beforeEach(() => {
    work = new PasswordWorkService();
    began = [];
    undone = [];
    finish = {};
  });

  const doing = (name: string) => () => {
    began.push(name);
    return new Promise<void>((resolve) => (finish[name] = resolve));
  };

  const anonymous = (network: string, name: string) =>
    work.forAnonymous(network, doing(name), () => Promise.resolve(void undone.push(name)));

  const person = (email: string, name: string) =>
    work.forPerson(email, doing(name), () => Promise.resolve(void undone.push(name)));

  const settled = () => new Promise(setImmediate);

  const finished = async (...names: string[]) => {
    for (const name of names) {
      finish[name]!();
      await settled();
    }
  };

  it('is done for one anonymous caller at a time, and for one known person', async () => {
    const all = [
      anonymous('a', 'a1'),
      anonymous('a', 'a2'),
      person('me@example.com', 'me1'),
      person('me@example.com', 'me2'),
    ];
    await settled();
    expect(began).toEqual(['a1', 'me1']);
    await finished('a1', 'me1', 'a2', 'me2');
    expect(began).toEqual(['a1', 'me1', 'a2', 'me2']);
    await Promise.all(all);
  });

  it('goes from network to network: a long queue of a network or a person delays no other', async () => {
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => anonymous(name[0]!, name));
    all.push(...['x1', 'x2', 'x3', 'y1'].map((name) => person(`${name[0]}@example.com`, name)));
    await settled();
    await finished('a1', 'a2', 'b1', 'c1', 'a3');
    expect(began.filter((name) => name < 'x')).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    await finished('x1', 'x2', 'y1', 'x3');
    expect(began.filter((name) => name >= 'x')).toEqual(['x1', 'x2', 'y1', 'x3']);
    await Promise.all(all);
  });

  it('continues after a failure', async () => {
    const failing = work.forPerson('me@example.com', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    const next = person('me@example.com', 'next');
    await settled();
    await finished('next');
    await next;
  });

  it('lets 16 of a network and 4 of a person wait, and refuses more after undoing their count', async () => {
    const refused = { code: 'rate_limited', retryAfterSeconds: 2 };
    const attempts = Array.from({ length: 17 }, (_, n) => anonymous('a', `a${n}`));
    await expect(anonymous('a', 'a17')).rejects.toMatchObject(refused);
    const people = Array.from({ length: 5 }, (_, n) => person('me@example.com', `me${n}`));
    await expect(person('me@example.com', 'me5')).rejects.toMatchObject(refused);
    expect(undone).toEqual(['a17', 'me5']);
    await settled();
    for (let n = 0; n < 17; n++) await finished(`a${n}`);
    for (let n = 0; n < 5; n++) await finished(`me${n}`);
    await Promise.all([...attempts, ...people]);
  });

  it('refuses and undoes what has waited for ten seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const first = anonymous('a', 'a1');
      const late = anonymous('b', 'b1');
      jest.advanceTimersByTime(9_999);
      await settled();
      expect(undone).toEqual([]);
      jest.advanceTimersByTime(1);
      await expect(late).rejects.toMatchObject({ code: 'rate_limited' });
      expect(undone).toEqual(['b1']);
      await finished('a1');
      await first;
    } finally {
      jest.useRealTimers();
    }
  });
});
