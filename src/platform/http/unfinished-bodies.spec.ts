import { UnfinishedBodies } from './unfinished-bodies.js';

const KB_64 = Buffer.alloc(64 * 1_024 - 512);

describe('unfinished bodies', () => {
  let bodies: UnfinishedBodies;
  let cut: string[];

  beforeEach(() => {
    bodies = new UnfinishedBodies();
    cut = [];
  });

  const begin = (network: string, name: string, pieces = 1) => {
    const body = bodies.begin(network, () => cut.push(name));
    for (let n = 0; n < pieces; n++) bodies.grow(body, KB_64);
    return body;
  };

  it('of one network may have 4 MB, and beyond that its oldest is aborted', () => {
    begin('other', 'older than all');
    for (let n = 0; n < 64; n++) begin('flood', `flood ${n}`);
    expect(cut).toEqual([]);
    begin('flood', 'flood 64');
    begin('flood', 'flood 65');
    expect(cut).toEqual(['flood 0', 'flood 1']);
  });

  it('of all networks may have 16 MB, and beyond that the oldest is aborted', () => {
    for (let n = 0; n < 256; n++) begin(`network ${n}`, `${n}`);
    expect(cut).toEqual([]);
    begin('another', 'another');
    expect(cut).toEqual(['0']);
  });

  it('leave room once when they end, even when that is reported twice', () => {
    const all = Array.from({ length: 64 }, (_, n) => begin('one', `${n}`));
    for (const body of all.slice(0, 10)) {
      bodies.end(body);
      bodies.end(body);
    }
    for (let n = 0; n < 10; n++) begin('one', 'more');
    expect(cut).toEqual([]);
    begin('one', 'more');
    expect(cut).toEqual(['10']);
  });

  it('count a minimum for each piece, even of one byte', () => {
    const body = bodies.begin('one', () => cut.push('tiny'));
    for (let n = 0; n < 8_176; n++) bodies.grow(body, Buffer.alloc(1));
    expect(cut).toEqual([]);
    for (let n = 0; n < 16; n++) if (cut.length === 0) bodies.grow(body, Buffer.alloc(1));
    expect(cut).toEqual(['tiny']);
  });
});
