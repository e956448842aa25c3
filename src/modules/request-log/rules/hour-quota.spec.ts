import { HourRoom } from './hour-quota.js';

const LIMITS = { bytes: 100, bytesOfOneReason: 40, reservedBytes: { 2: 25, 4: 25, 5: 10 } };

const route = '/api/orders';
const done = { route, statusClass: 2, code: '' };
const refused = (code: string) => ({ route, statusClass: 4, code });
const failed = { route, statusClass: 5, code: 'internal_error' };

function admitted(room: HourRoom, outcome: typeof done, bytes = 1): number {
  return Array.from({ length: 1_000 }, () => room.admits(outcome, bytes)).filter(Boolean).length;
}

describe('In one hour', () => {
  it('refusals for one reason leave space for other reasons', () => {
    const room = new HourRoom(LIMITS);
    expect(admitted(room, refused('rate_limited'))).toBe(40);
    expect(room.hasRoom(refused('rate_limited'))).toBe(false);
    expect(admitted(room, refused('validation_failed'))).toBe(25);
  });

  it('refusals on one route leave space for the same code on other routes', () => {
    const room = new HourRoom(LIMITS);
    expect(admitted(room, { ...refused('validation_failed'), route: '/api/products' })).toBe(40);
    expect(admitted(room, refused('validation_failed'))).toBe(25);
  });

  it('refusals for many reasons leave space for successes and failures', () => {
    const room = new HourRoom(LIMITS);
    expect(['a', 'b', 'c', 'd'].map((code) => admitted(room, refused(code)))).toEqual([40, 25, 0, 0]);
    expect([admitted(room, failed), admitted(room, done)]).toEqual([10, 25]);
  });

  it('failures, successes and refusals leave space for each other', () => {
    const room = new HourRoom({ ...LIMITS, bytesOfOneReason: 100 });
    expect([failed, done, refused('a')].map((outcome) => admitted(room, outcome))).toEqual([50, 25, 25]);
    const other = new HourRoom(LIMITS);
    expect([done, refused('a'), failed].map((outcome) => admitted(other, outcome))).toEqual([65, 25, 10]);
  });

  it('a request that is too large is not stored, but a smaller one is', () => {
    const room = new HourRoom(LIMITS);
    expect([30, 30, 10].map((bytes) => room.admits(refused('a'), bytes))).toEqual([true, false, true]);
  });

  it('requests that were stored before take space', () => {
    const room = new HourRoom(LIMITS);
    room.take(refused('a'), 30);
    room.take(done, 60);
    expect(admitted(room, refused('a'))).toBe(0);
    expect(admitted(room, failed)).toBe(10);
  });

  it('a store keeps hundreds of its requests, and a flood of one kind leaves space for the others', () => {
    const room = new HourRoom();
    const kept = [refused('a'), refused('b'), failed, done].map((outcome) => admitted(room, outcome, 500));
    expect(kept).toEqual([196, 131, 66, 131]);
  });
});
