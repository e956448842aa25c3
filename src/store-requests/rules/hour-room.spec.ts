import { HourRoom } from './hour-room.js';

const LIMITS = { kept: 10, keptBytes: 1_000, ofOneOutcome: 4 };

function admitted(room: HourRoom, code: string, times: number, bytes = 1): number {
  return Array.from({ length: times }, () => room.admits(code, bytes)).filter(Boolean).length;
}

describe('In an hour', () => {
  it('only so many are kept that ended alike, and none of them hides another', () => {
    const room = new HourRoom(LIMITS);
    expect(admitted(room, 'rate_limited', 100)).toBe(4);
    expect(room.hasRoom('rate_limited')).toBe(false);
    expect(admitted(room, 'validation_failed', 1)).toBe(1);
  });

  it('only so many are kept in all', () => {
    const room = new HourRoom(LIMITS);
    expect(['a', 'b', 'c', 'd'].map((code) => admitted(room, code, 100))).toEqual([4, 4, 2, 0]);
  });

  it('only so many bytes are kept', () => {
    const room = new HourRoom(LIMITS);
    expect([room.admits('a', 600), room.admits('a', 600), room.admits('b', 400)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(room.hasRoom('c')).toBe(false);
  });

  it('what was kept before takes its room', () => {
    const room = new HourRoom(LIMITS);
    room.fill('a', 3, 500);
    expect(admitted(room, 'a', 100)).toBe(1);
    expect(room.admits('b', 500)).toBe(false);
  });
});
