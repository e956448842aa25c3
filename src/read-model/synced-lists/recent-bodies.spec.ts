import { RecentBodies } from './recent-bodies.js';

const KB = 2 ** 10;
const MB = 2 ** 20;

describe('RecentBodies', () => {
  /** Counts how often a body was built. */
  function counted(bytes: number) {
    const bodies = new RecentBodies();
    let made = 0;
    const get = (tag: string, length = bytes) =>
      bodies.get(tag, () => {
        made++;
        return Promise.resolve(Buffer.alloc(length));
      });
    return { get, made: () => made };
  }

  it('builds a body once for simultaneous and later requests', async () => {
    const { get, made } = counted(100 * KB);
    const [first, second] = await Promise.all([get('a'), get('a')]);
    expect(second).toBe(first);
    expect((await get('a')).bytes).toBe(first!.bytes);
    expect(made()).toBe(1);
  });

  it('keeps a thousand small bodies apart from the large ones', async () => {
    const { get, made } = counted(KB);
    await get('large', 100 * KB);
    for (let index = 0; index < 1_024; index++) await get(`${index}`);
    await get('0');
    await get('large');
    expect(made()).toBe(1_025);
    await get('one too many');
    await get('1');
    expect(made()).toBe(1_027);
  });

  it('drops the bodies with the oldest requests beyond 16', async () => {
    const { get, made } = counted(100 * KB);
    for (let index = 0; index < 16; index++) await get(`${index}`);
    await get('0');
    await get('one too many');
    await get('0');
    expect(made()).toBe(17);
    await get('1');
    expect(made()).toBe(18);
  });

  it('drops the bodies with the oldest requests beyond 64 MB', async () => {
    const { get, made } = counted(30 * MB);
    for (const tag of ['a', 'b', 'c']) await get(tag);
    await get('b');
    expect(made()).toBe(3);
    await get('a');
    expect(made()).toBe(4);
  });

  it('keeps its bodies when another one is too large to keep', async () => {
    const { get, made } = counted(100 * KB);
    await get('a');
    await get('huge', 65 * MB);
    await get('a');
    expect(made()).toBe(2);
  });

  it('reports a failure to the waiting requests, and builds the body again for the next', async () => {
    const bodies = new RecentBodies();
    const failing = () => bodies.get('a', () => Promise.reject(new Error('out of paper')));
    await expect(Promise.all([failing(), failing()])).rejects.toThrow('out of paper');
    expect((await bodies.get('a', () => Buffer.from('b'))).bytes).toEqual(Buffer.from('b'));
  });
});
