import cluster, { type Worker } from 'node:cluster';
import { EventEmitter, once } from 'node:events';
import { mock } from 'node:test';
import { jest } from '@jest/globals';
import type { Settings } from '../../platform/settings/settings.js';
import { shareOf, Workers } from './workers.js';

const noMemory = () => {
  throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
};

describe('workers', () => {
  afterEach(() => mock.restoreAll());

  const notStarted = (number: number, signal: string) => [{ number, pid: undefined, code: null, signal }];

  it('are given up if the first cannot be found', async () => {
    mock.method(cluster, 'fork', () => {
      const worker = Object.assign(new EventEmitter(), { process: {} });
      setImmediate(() => worker.emit('error', Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' })));
      return worker as never;
    });
    const workers = new Workers(2);
    const hopeless = once(workers, 'hopeless');
    workers.beginFirst();
    expect(await hopeless).toEqual(notStarted(1, 'ENOENT'));
  });

  it('are given up if there is no memory for the first', async () => {
    mock.method(cluster, 'fork', noMemory);
    const workers = new Workers(2);
    const hopeless = once(workers, 'hopeless');
    workers.beginFirst();
    expect(await hopeless).toEqual(notStarted(1, 'ENOMEM'));
  });

  it('are tried again if there is no memory for another at this moment', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const first = Object.assign(new EventEmitter(), {
      process: { pid: 1, kill: mock.fn() },
      send: mock.fn(),
    });
    const fork = mock.method(cluster, 'fork', () => first as never);
    const workers = new Workers(2);
    workers.beginFirst();
    fork.mock.mockImplementationOnce(noMemory, 1);
    const died = once(workers, 'died');
    workers.beginOthers();
    expect(await died).toEqual(notStarted(2, 'ENOMEM'));
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    expect(fork.mock.calls.map(({ arguments: [environment] }) => environment)).toEqual([
      { WORKER: '1' },
      { WORKER: '2' },
      { WORKER: '2' },
    ]);
  });

  it.each([
    ['an equal share, rounded up', [31, 100, 3], [11, 34]],
    ['five connections at least', [10, 100, 4], [5, 25]],
    ['no more connections than one process has', [3, 100, 4], [3, 25]],
  ])('have %s', (_, [databasePoolSize, rateLimitPerMinute, workers], [connections, units]) => {
    const settings = { databasePoolSize, rateLimitPerMinute, workers } as Settings;
    expect(shareOf(settings)).toEqual({
      workers,
      databasePoolSize: connections,
      rateLimitPerMinute: units,
    });
  });

  describe('without processes', () => {
    /** The oldest first. */
    let forked: Worker[];
    let workers: Workers;

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
      forked = [];
      mock.method(cluster, 'fork', () => {
        const { length } = forked;
        const process = { pid: length + 1, kill: mock.fn() };
        return (forked[length] = Object.assign(new EventEmitter(), { process, send: mock.fn() }) as never);
      });
      workers = new Workers(2);
      workers.beginFirst();
      forked[0]!.emit('listening');
      workers.beginOthers();
    });
    afterEach(() => void jest.useRealTimers());

    const lastDies = () => forked.at(-1)!.emit('exit', 1, null);

    it('are replaced a second after their death', () => {
      for (const count of [3, 4]) {
        lastDies();
        jest.advanceTimersByTime(999);
        expect(forked).toHaveLength(count - 1);
        jest.advanceTimersByTime(1);
        expect(forked).toHaveLength(count);
      }
    });

    it('are not begun after they were told to stop', () => {
      lastDies();
      workers.stop(0);
      jest.advanceTimersByTime(60_000);
      expect(forked).toHaveLength(2);
    });

    it('get the seconds, and a signal too while they start', () => {
      expect(workers.listeningCount).toBe(1);
      workers.stop(7);
      const sent = forked.map(({ send, process }) =>
        [send, process.kill].map((each) =>
          (each as unknown as ReturnType<typeof mock.fn>).mock.calls.map(
            ({ arguments: [first] }) => first as unknown,
          ),
        ),
      );
      expect(sent).toEqual([
        [[7], []],
        [[7], ['SIGTERM']],
      ]);
    });

    it.each<[string, number, number, boolean]>([
      ['in order', 0, 0, true],
      ['out of order if one that listened failed', 1, 0, false],
      ['in order if only one failed that still started', 0, 1, true],
    ])('end %s', async (_, first, second, inOrder) => {
      workers.stop(0);
      const empty = once(workers, 'empty');
      forked[0]!.emit('exit', first, null);
      forked[1]!.emit('exit', second, null);
      await empty;
      expect(workers.allInOrder).toBe(inOrder);
    });
  });
});
