import { mock } from 'node:test';
import { type Occupant, Places } from './places.js';

/** An answer in the making, which is over when the test says so. */
class Answer implements Occupant {
  destroyed = false;
  over: () => void = () => undefined;

  whenOver(callback: () => void): void {
    this.over = callback;
  }
}

describe('the places of a client', () => {
  let places: Places;

  beforeEach(() => (places = new Places()));

  const enter = (answer = new Answer()) => {
    const entered = places.enter(answer);
    // Some wait until their time is over, which is after the test.
    entered?.catch(() => undefined);
    return { answer, entered };
  };
  const fill = () => Array.from({ length: 4 }, () => enter());

  it('let four in at once, and the next when one of them is over', async () => {
    const first = fill();
    expect(first.map(({ entered }) => entered)).toEqual([undefined, undefined, undefined, undefined]);
    const began: string[] = [];
    const fifth = enter();
    const sixth = enter();
    void (fifth.entered as Promise<void>).then(() => began.push('fifth'));
    void (sixth.entered as Promise<void>).then(() => began.push('sixth'));
    await Promise.resolve();
    expect(began).toEqual([]);
    first[2]!.answer.over();
    await fifth.entered;
    expect(began).toEqual(['fifth']);
    fifth.answer.over();
    await sixth.entered;
    expect(began).toEqual(['fifth', 'sixth']);
  });

  it('are given back before the work is over by who needs none any more, and once', async () => {
    const [first, second] = fill();
    const fifth = enter();
    const sixth = enter();
    places.giveBack(first!.answer);
    await fifth.entered;
    first!.answer.over();
    const later: string[] = [];
    void (sixth.entered as Promise<void>).then(() => later.push('sixth'));
    await Promise.resolve();
    expect(later).toEqual([]);
    second!.answer.over();
    await sixth.entered;
  });

  it('pass over whoever went away while waiting', async () => {
    const [first] = fill();
    const gone = enter();
    const next = enter();
    gone.answer.destroyed = true;
    first!.answer.over();
    await expect(gone.entered).rejects.toThrow('went away');
    await expect(next.entered).resolves.toBeUndefined();
  });

  it('have 256 wait, and no more', () => {
    fill();
    for (let n = 0; n < 256; n++) {
      expect(places.isFull).toBe(false);
      enter();
    }
    expect(places.isFull).toBe(true);
  });

  it('are waited for two seconds by each, whenever it came', async () => {
    let now = 0;
    mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
    const pass = async (milliseconds: number) => {
      now += milliseconds;
      mock.timers.tick(milliseconds);
      await new Promise(setImmediate);
    };
    try {
      fill();
      const left: string[] = [];
      const wait = (name: string) => enter().entered!.catch(() => left.push(name));
      void wait('early');
      await pass(1_500);
      void wait('late');
      await pass(600);
      expect(left).toEqual(['early']);
      await pass(1_500);
      expect(left).toEqual(['early', 'late']);
    } finally {
      mock.timers.reset();
      mock.restoreAll();
    }
  });

  it('are unused when all is over', () => {
    const answers = fill();
    expect(places.isUnused).toBe(false);
    for (const { answer } of answers) answer.over();
    expect(places.isUnused).toBe(true);
  });
});
