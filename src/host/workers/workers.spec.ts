import { once } from 'node:events';
import { Workers } from './workers.js';

describe('workers', () => {
  const { execPath } = process;

  afterEach(() => {
    process.execPath = execPath;
  });

  it('are given up if the first cannot even be started', async () => {
    process.execPath = '/nowhere/node';
    const workers = new Workers(2);
    const hopeless = once(workers, 'hopeless');
    workers.beginFirst();
    expect(await hopeless).toEqual([{ number: 1, pid: undefined, code: null, signal: 'ENOENT' }]);
  });
});
