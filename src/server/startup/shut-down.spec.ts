import { createServer } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readSettings } from '../../platform/settings/settings.js';
import { LogOutput } from '../observability/log-output.js';
import { Shutdown } from './shut-down.js';

describe('A stop', () => {
  const { exit } = process;
  afterEach(() => {
    process.exit = exit;
  });

  it('writes what the last job logs in the turn in which it ends', async () => {
    const written: string[] = [];
    const log = new LogOutput({ write: (text) => written.push(text) });
    const app = {
      getHttpServer: () => createServer(),
      getHttpAdapter: () => ({ drain: () => {} }),
      get: () => ({ stop: () => {} }),
      close: async () => log.write('warn', 'log', { message: 'The job failed' }),
    } as unknown as NestExpressApplication;
    const database = { close: async () => {} } as ConstructorParameters<typeof Shutdown>[1];
    const printed: string[][] = [];
    // Both the stop and the end of its grace period leave.
    const left = new Promise<void>((resolve) => {
      process.exit = (() => {
        if (printed.push([...written]) === 2) resolve();
      }) as typeof exit;
    });
    const settings = { ...readSettings({}), shutdownGraceSeconds: 1 };
    new Shutdown(app, database, settings, (line) => written.push(line)).begin(0);
    await left;
    expect(printed[0]).toEqual([
      'Stopping: requests in flight are being answered.',
      expect.stringContaining('The job failed'),
      'Stopped.',
    ]);
  });
});
