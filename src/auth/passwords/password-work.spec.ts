import { type Line, PasswordWork } from './password-work.js';

describe('the work with passwords', () => {
  let work: PasswordWork;
  let began: string[];
  let finish: Record<string, () => void>;

  beforeEach(() => {
    work = new PasswordWork();
    began = [];
    finish = {};
  });

  const begin = (line: Line, name: string) =>
    work.inTurn(line, () => {
      began.push(name);
      return new Promise<void>((resolve) => (finish[name] = resolve));
    });

  const settled = () => new Promise(setImmediate);

  const finished = async (name: string) => {
    finish[name]!();
    await settled();
  };

  it('is done two at a time, one after the other as they came', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => begin('strangers', name));
    await settled();
    expect(began).toEqual(['a', 'b']);
    await finished('a');
    expect(began).toEqual(['a', 'b', 'c']);
    for (const name of ['b', 'c']) await finished(name);
    expect(began).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const name of ['d', 'e']) await finished(name);
    await Promise.all(all);
  });

  it.each<[Line, Line]>([
    ['strangers', 'people'],
    ['people', 'strangers'],
  ])('is never done for %s alone while some of the %s wait', async (many, few) => {
    const all = Array.from({ length: 5 }, (_, n) => begin(many, `many ${n}`));
    await settled();
    all.push(begin(few, 'few 0'), begin(few, 'few 1'));
    await finished('many 0');
    expect(began).toEqual(['many 0', 'many 1', 'few 0']);
    await finished('few 0');
    expect(began.at(-1)).toBe('few 1');
    await finished('many 1');
    expect(began.at(-1)).toBe('many 2');
    await finished('few 1');
    expect(began.at(-1)).toBe('many 3');
    for (const n of [2, 3, 4]) await finished(`many ${n}`);
    await Promise.all(all);
  });

  it('goes on when some of it fails', async () => {
    const failing = Array.from({ length: 3 }, () =>
      work.inTurn('strangers', () => Promise.reject(new Error('no'))),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    const last = begin('people', 'last');
    await settled();
    expect(began).toEqual(['last']);
    await finished('last');
    await last;
  });

  it('lets sixteen wait in each line, and refuses more when what they did is undone', async () => {
    const all = Array.from({ length: 18 }, (_, n) => begin('strangers', `stranger ${n}`));
    let undone = 0;
    const refused = work.inTurn(
      'strangers',
      () => Promise.reject(new Error('Its turn never comes.')),
      () => Promise.resolve(void undone++),
    );
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    expect(undone).toBe(1);
    all.push(begin('people', 'a person'));
    await settled();
    await finished('stranger 0');
    expect(began).toEqual(['stranger 0', 'stranger 1', 'a person']);
    await finished('a person');
    for (let n = 1; n < 18; n++) await finished(`stranger ${n}`);
    await Promise.all(all);
  });
});
