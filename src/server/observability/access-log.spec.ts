import type { ApiRequest } from '../../platform/http/api-request.js';
import { readSettings } from '../../platform/settings/settings.js';
import { AccessLog } from './access-log.js';
import { JsonLogger, LogOutput } from './log-output.js';

class Lines {
  text = '';

  write(text: string): void {
    this.text += text;
  }

  read(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

function requestOf(method: string): ApiRequest {
  return { id: 'request-1', method, caller: { client: { id: 7 } } } as ApiRequest;
}

/** The lines of the log after this work. */
function logged(setting: string, work: (log: AccessLog) => void): Record<string, unknown>[] {
  const lines = new Lines();
  const log = new AccessLog(readSettings({ ACCESS_LOG: setting }), new LogOutput(lines));
  work(log);
  log.onApplicationShutdown();
  return lines.read();
}

const loggedOnce = (setting: string, method: string, status: number) =>
  logged(setting, (log) => log.logRequest(requestOf(method), '/api/orders', status, 12.345678));

describe('The access log', () => {
  it('tells who did what on which route, with which outcome and in what time', () => {
    expect(loggedOnce('default', 'POST', 201)).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: 'info',
        event: 'request',
        request_id: 'request-1',
        client_id: 7,
        method: 'POST',
        route: '/api/orders',
        status: 201,
        ms: 12.35,
      },
    ]);
  });

  it.each([
    ['no read that went well', 'default', 'GET', 200, []],
    ['no unchanged read', 'default', 'GET', 304, []],
    ['all reads, if all is to be logged', 'all', 'GET', 304, [{ level: 'info' }]],
    ['a refusal as a warning', 'default', 'GET', 404, [{ level: 'warn', status: 404 }]],
    ['a fault as an error', 'default', 'GET', 503, [{ level: 'error', status: 503 }]],
    ['nothing when it is off', 'off', 'POST', 500, []],
  ])('tells %s', (_, setting, method, status, lines) => {
    expect(loggedOnce(setting, method, status)).toMatchObject(lines);
  });

  it("tells a hundred of one client's refusals in a while, and counts the others", () => {
    const refused = (code: string) => ({ id: 'request-2', method: 'GET', failure: { code } }) as ApiRequest;
    const written = logged('default', (log) => {
      for (let n = 0; n < 1_000; n++) log.logRequest(refused('token_invalid'), '/api/products', 401, 1);
      log.logRequest(requestOf('POST'), '/api/orders', 422, 1);
      log.logRequest(refused('token_missing'), '/api/products', 401, 1);
      log.logRequest(requestOf('POST'), '/api/orders', 201, 1);
    });
    const first = Array.from({ length: 100 }, () => ({ event: 'request', code: 'token_invalid' }));
    expect(written).toMatchObject([
      ...first,
      { event: 'request', client_id: 7, status: 422 },
      { event: 'request', code: 'token_missing' },
      { event: 'request', client_id: 7, status: 201 },
      { event: 'requests_left_out', level: 'warn', status: 401, code: 'token_invalid', requests: 900 },
    ]);
  });

  it('tells a hundred of what goes well too, of each client and route, and counts the others', () => {
    const written = logged('default', (log) => {
      for (let n = 0; n < 250; n++) log.logRequest(requestOf('POST'), '/api/orders', 201, 1);
      log.logRequest(requestOf('POST'), '/api/orders/quote', 200, 1);
    });
    expect(written).toHaveLength(102);
    expect(written.slice(100)).toMatchObject([
      { event: 'request', route: '/api/orders/quote' },
      { event: 'requests_left_out', level: 'info', route: '/api/orders', status: 201, requests: 150 },
    ]);
  });

  it('leaves nothing out that goes well when all is to be logged', () => {
    const written = logged('all', (log) => {
      for (let n = 0; n < 250; n++) log.logRequest(requestOf('GET'), '/api/products', 200, 1);
    });
    expect(written).toHaveLength(250);
  });
});

describe('The log of the running service', () => {
  it('puts every message on one line, with its line breaks', () => {
    const lines = new Lines();
    const logger = new JsonLogger(new LogOutput(lines));
    logger.error('first\n{"level":"info","event":"forged"}', 'Error: boom\n    at somewhere', 'ErrorFilter');
    logger.warn('late\r\nagain', 'SnapshotService');
    logger.error('flushes');
    expect(lines.text.split('\n')).toHaveLength(4);
    expect(lines.read()).toMatchObject([
      { level: 'error', event: 'log', context: 'ErrorFilter', stack: expect.stringContaining('boom') },
      { level: 'warn', event: 'log', context: 'SnapshotService', message: 'late\r\nagain' },
      { level: 'error' },
    ]);
  });

  it('leaves out what the framework tells of its own start, but not what goes wrong in it', () => {
    const lines = new Lines();
    const logger = new JsonLogger(new LogOutput(lines));
    logger.log('Mapped {/api/orders, POST} route', 'RouterExplorer');
    logger.error('Cannot resolve', 'RouterExplorer');
    expect(lines.read()).toMatchObject([{ level: 'error', message: 'Cannot resolve' }]);
  });
});
