import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import {
  Controller,
  Get,
  Header,
  HttpCode,
  Module,
  Param,
  Post,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import request from 'supertest';
import { FastExpressAdapter } from '../../../src/platform/http/express-adapter.js';
import { eventually } from '../../support/eventually.js';
import { RawConnection } from '../../support/raw-connection.js';

/** Requests whose answers the test releases. */
class Held {
  readonly started: string[] = [];
  readonly closed: string[] = [];
  readonly sockets = new Map<string, Socket>();
  private readonly release = new Map<string, (answer: object) => void>();

  add(name: string, response: Response): Promise<object> {
    this.started.push(name);
    this.sockets.set(name, response.req.socket);
    response.once('close', () => this.closed.push(name));
    return new Promise((resolve) => this.release.set(name, resolve));
  }

  answer(name: string): void {
    this.release.get(name)!({ name });
  }
}

const held = new Held();

@Controller()
class ProbeController {
  @Get('object')
  object() {
    return { text: 'Grüße' };
  }

  @Get('text')
  text() {
    return 'plain';
  }

  @Get('nothing')
  nothing() {
    return undefined;
  }

  @Get('stream')
  @Header('Content-Type', 'text/csv')
  stream() {
    return new StreamableFile(Buffer.from('a,b\n'));
  }

  @Post('made')
  @HttpCode(202)
  made() {
    return [1, 2];
  }

  @Get('helpers/:name')
  helpers(@Param('name') name: string, @Res() response: Response) {
    response.cookie('seen', name).status(418).json({ ip: response.req.ip, host: response.req.hostname });
  }

  @Get('held/:name')
  held(@Param('name') name: string, @Req() incoming: Request) {
    return held.add(name, incoming.res!);
  }

  @Post('taken')
  async taken(@Req() incoming: Request) {
    return { text: await readText(incoming) };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

describe('the Express adapter', () => {
  let app: NestExpressApplication;
  let server: Server;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(ProbeModule, new FastExpressAdapter(), {
      bodyParser: false,
      logger: false,
    });
    app.use('/prototypes', (incoming: Request, outgoing: Response) => {
      const { request: requests, response: responses } = app.getHttpAdapter().getInstance() as Express;
      outgoing.json({
        request: Object.getPrototypeOf(incoming) === requests && incoming instanceof IncomingMessage,
        response: Object.getPrototypeOf(outgoing) === responses && outgoing instanceof ServerResponse,
        linked: incoming.res === outgoing && outgoing.req === incoming,
      });
    });
    await app.listen(0, '127.0.0.1');
    server = app.getHttpServer() as Server;
  });

  afterAll(() => app.close());

  it('creates requests and responses with the prototypes of the app', async () => {
    await request(server).get('/prototypes').expect(200, { request: true, response: true, linked: true });
  });

  it('leaves Express no prototype to change', async () => {
    const { setPrototypeOf } = Object;
    const requested: object[] = [];
    const changed: object[] = [];
    Object.setPrototypeOf = <Target>(target: Target, prototype: object | null) => {
      if (isMessage(target)) (Object.getPrototypeOf(target) === prototype ? requested : changed).push(target);
      return setPrototypeOf(target, prototype) as Target;
    };
    try {
      await request(server).get('/object').expect(200);
    } finally {
      Object.setPrototypeOf = setPrototypeOf;
    }
    expect(requested.length).toBeGreaterThan(0);
    expect(changed).toEqual([]);
  });

  it('answers objects, texts, streams and undefined as Express does', async () => {
    const object = await request(server).get('/object').expect(200, { text: 'Grüße' });
    expect(object.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '18',
    });
    await request(server)
      .get('/text')
      .expect('Content-Type', /text\/html/)
      .expect(200, 'plain');
    await request(server).get('/nothing').expect(200, '');
    await request(server)
      .get('/stream')
      .expect('Content-Type', /text\/csv/)
      .expect(200, 'a,b\n');
    await request(server).post('/made').expect(202, [1, 2]);
  });

  it('sends neither X-Powered-By nor an ETag', async () => {
    const { headers } = await request(server).get('/object');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  describe('with pipelined requests', () => {
    /** One request runs, and a hundred wait. */
    const MAX_BYTES = 101;
    const ahead = (...paths: string[]) =>
      paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

    async function open(bytes: string): Promise<RawConnection> {
      const { port } = server.address() as AddressInfo;
      return RawConnection.open(`http://127.0.0.1:${port}`, bytes);
    }

    it('starts the next request after the previous answer', async () => {
      const connection = await open(ahead('/held/a1', '/held/a2', '/object'));
      await eventually(() => held.started.includes('a1'));
      await request(server).get('/object').expect(200);
      expect(held.started).not.toContain('a2');
      held.answer('a1');
      await eventually(() => held.started.includes('a2'));
      await eventually(() => connection.received.includes('{"name":"a1"}'));
      held.answer('a2');
      await eventually(() => connection.received.includes('Gr'));
      connection.end();
    });

    it('starts no further request when the client is gone, and closes the current answer', async () => {
      const connection = await open(ahead('/held/b1', '/held/b2', '/held/b3'));
      await eventually(() => held.started.includes('b1'));
      connection.end();
      // No socket is read while requests wait, so the loss shows only when an answer is sent.
      await eventually(() => {
        for (const name of held.started) held.answer(name);
        return held.sockets.get('b1')!.destroyed;
      });
      await request(server).get('/object').expect(200);
      expect(held.started).not.toContain('b3');
      expect(held.closed).toEqual(
        expect.arrayContaining(held.started.filter((name) => name.startsWith('b'))),
      );
    });

    it('answers a hundred of them in their order', async () => {
      const paths = Array.from({ length: MAX_BYTES }, (_, n) => `/helpers/${n}`);
      const connection = await open(ahead(...paths));
      await eventually(() => connection.received.split('HTTP/1.1 418').length - 1 === MAX_BYTES);
      const order = [...connection.received.matchAll(/seen=(\d+);/g)].map(([, n]) => Number(n));
      expect(order).toEqual(paths.map((_, n) => n));
      connection.end();
    });

    it('closes a connection with more than a hundred waiting requests, and no other', async () => {
      const other = await open(ahead('/held/d1', ...Array.from({ length: MAX_BYTES - 1 }, () => '/object')));
      await eventually(() => held.started.includes('d1'));
      const greedy = await open(ahead('/held/d2', ...Array.from({ length: MAX_BYTES }, () => '/object')));
      await greedy.closed;
      expect(greedy.received).toBe('');
      held.answer('d1');
      await eventually(() => other.received.split('HTTP/1.1 200').length - 1 === MAX_BYTES);
      other.end();
    });

    it('reads the body of a request that had to wait', async () => {
      const connection = await open(
        `${ahead('/held/c1')}POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst`,
      );
      await eventually(() => held.started.includes('c1'));
      connection.send(`-last${ahead('/object')}`);
      held.answer('c1');
      await eventually(() => connection.received.includes('Gr'));
      expect(connection.received).toContain('{"text":"first-last"}');
      connection.end();
    });
  });

  it('keeps connections open longer than balancers do', () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('gives a request 30 seconds to arrive', () => {
    expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 30_000]);
  });
});

describe('the options of the adapter', () => {
  it('close each connection after its next answer while draining, and accept new ones', async () => {
    const adapter = new FastExpressAdapter();
    const app = await NestFactory.create<NestExpressApplication>(ProbeModule, adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const connectionOf = async (path: string) => (await fetch(url + path)).headers.get('connection');
    const before = await connectionOf('/object');
    adapter.drain();
    const paths = ['/object', '/text', '/stream', '/none'];
    const draining = await Promise.all(paths.map(connectionOf));
    await app.close();
    expect([before, ...draining]).toEqual(['keep-alive', 'close', 'close', 'close', 'close']);
  });
});

function isMessage(target: unknown): target is IncomingMessage | ServerResponse {
  return target instanceof IncomingMessage || target instanceof ServerResponse;
}
