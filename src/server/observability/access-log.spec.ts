import type { ApiRequest } from '../../platform/http/api-request.js';
import { readSettings } from '../../platform/settings/read-settings.js';
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

function logged(accessLog: string, method: string, status: number): Record<string, unknown>[] {
  const lines = new Lines();
  const log = new AccessLog(readSettings({ ACCESS_LOG: accessLog }), new LogOutput(lines));
  log.logRequest(requestOf(method), '/api/orders', status, 12.345678);
  log.onApplicationShutdown();
  return lines.read();
}

describe('The access log', () => {
  it('tells who did what on which route, with which outcome and in what time', () => {
    expect(logged('default', 'POST', 201)).toEqual([
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

  it('passes over reads that went well, unless all is to be logged', () => {
    expect(logged('default', 'GET', 200)).toEqual([]);
    expect(logged('default', 'GET', 304)).toEqual([]);
    expect(logged('all', 'GET', 304)).toHaveLength(1);
  });

  it('tells of refusals as warnings and of faults as errors, reads included', () => {
    expect(logged('default', 'GET', 404)).toMatchObject([{ level: 'warn', status: 404 }]);
    expect(logged('default', 'GET', 503)).toMatchObject([{ level: 'error', status: 503 }]);
  });

  it("tells a hundred of one client's refusals in a while, and counts the others", () => {
    const lines = new Lines();
    const log = new AccessLog(readSettings({}), new LogOutput(lines));
    const stranger = { id: 'request-2', method: 'GET', failure: { code: 'token_invalid' } } as ApiRequest;
    for (let n = 0; n < 1_000; n++) log.logRequest(stranger, '/api/products', 401, 1);
    log.logRequest(requestOf('POST'), '/api/orders', 422, 1);
    log.logRequest(
      { ...stranger, failure: { code: 'token_missing' } } as ApiRequest,
      '/api/products',
      401,
      1,
    );
    log.logRequest(requestOf('POST'), '/api/orders', 201, 1);
    log.onApplicationShutdown();
    const written = lines.read();
    expect(written.slice(0, 100)).toEqual(
      Array.from({ length: 100 }, () => expect.objectContaining({ event: 'request', code: 'token_invalid' })),
    );
    expect(written.slice(100)).toMatchObject([
      { event: 'request', client_id: 7, status: 422 },
      { event: 'request', code: 'token_missing' },
      { event: 'request', client_id: 7, status: 201 },
      { event: 'requests_left_out', level: 'warn', status: 401, code: 'token_invalid', requests: 900 },
    ]);
  });

  it('tells a hundred of what goes well too, of each client and route, and counts the others', () => {
    const lines = new Lines();
    const log = new AccessLog(readSettings({}), new LogOutput(lines));
    for (let n = 0; n < 250; n++) log.logRequest(requestOf('POST'), '/api/orders', 201, 1);
    log.logRequest(requestOf('POST'), '/api/orders/quote', 200, 1);
    log.onApplicationShutdown();
    const written = lines.read();
    expect(written).toHaveLength(102);
    expect(written.slice(100)).toMatchObject([
      { event: 'request', route: '/api/orders/quote' },
      { event: 'requests_left_out', level: 'info', route: '/api/orders', status: 201, requests: 150 },
    ]);
  });

  it('leaves nothing out that goes well when all is to be logged', () => {
    const lines = new Lines();
    const log = new AccessLog(readSettings({ ACCESS_LOG: 'all' }), new LogOutput(lines));
    for (let n = 0; n < 250; n++) log.logRequest(requestOf('GET'), '/api/products', 200, 1);
    log.onApplicationShutdown();
    expect(lines.read()).toHaveLength(250);
  });

  it('keeps quiet when it is off', () => {
    expect(logged('off', 'POST', 500)).toEqual([]);
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
