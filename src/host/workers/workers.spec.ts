import cluster from 'node:cluster';
import { once } from 'node:events';
import { mock } from 'node:test';
import { Workers } from './workers.js';

const noMemory = () => {
  throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
};

describe('workers', () => {
  const { execPath } = process;

  afterEach(() => {
    process.execPath = execPath;
    mock.restoreAll();
  });

  const notStarted = (number: number, signal: string) => [{ number, pid: undefined, code: null, signal }];

  it('are given up if the first cannot be found', async () => {
    process.execPath = '/nowhere/node';
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
    // It has no channel to the worker that it pretends to be: only that it was begun counts.
    process.execPath = '/bin/true';
    const fork = mock.method(cluster, 'fork');
    const workers = new Workers(2);
    workers.beginFirst();
    fork.mock.mockImplementationOnce(noMemory, 1);
    const died = once(workers, 'died');
    workers.beginOthers();
    expect(await died).toEqual(notStarted(2, 'ENOMEM'));
    expect(fork.mock.calls.map(({ arguments: [environment] }) => environment)).toEqual([
      { WORKER: '1' },
      { WORKER: '2' },
      { WORKER: '2' },
    ]);
    workers.stop(0);
    await once(workers, 'empty');
  });
});
