import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import type { ApiRequest } from '../../../src/platform/http/api-request.js';
import { ErrorFilter } from '../../../src/platform/http/error-filter.js';
import { FastExpressAdapter } from '../../../src/platform/http/express-adapter.js';
import { TakesForm, TakesJson, TakesRaw } from '../../../src/platform/http/bodies.js';
import type { FormFields } from '../../../src/platform/http/parse-form.js';
import { eventually } from '../../support/eventually.js';
import { RawConnection } from '../../support/raw-connection.js';

const FORM = 'application/x-www-form-urlencoded';

@Controller()
class BodiesController {
  @Post('form')
  @HttpCode(200)
  @TakesForm()
  form(@Body() fields: FormFields) {
    return { fields };
  }

  @Post('raw')
  @HttpCode(200)
  @TakesRaw()
  raw(@Body() bytes: Buffer) {
    return { hex: bytes.toString('hex') };
  }

  @Post('json')
  @HttpCode(200)
  @TakesJson()
  json(@Body() body: object) {
    return { body };
  }

  @Post('none')
  @HttpCode(200)
  none(@Body() body: unknown) {
    return { body: body === undefined ? 'not read' : 'read' };
  }
}

@Module({ controllers: [BodiesController] })
class BodiesModule {}

describe('The body of a request', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(BodiesModule, new FastExpressAdapter(), {
      bodyParser: false,
      logger: false,
    });
    app.useGlobalFilters(new ErrorFilter());
    app.use((incoming: ApiRequest, _: unknown, next: () => void) => {
      if (incoming.headers.authorization) incoming.caller = { client: { id: 1 } };
      next();
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const post = (path: string, type: string) => request(url).post(path).set('Content-Type', type);

  it('may be a form, with names as they were sent', async () => {
    const { body } = await post('/form', `${FORM}; charset=UTF-8`)
      .send('error%5Bcode%5D=A+B&b=1&b=2')
      .expect(200);
    expect(body).toEqual({ fields: { 'error[code]': 'A B', b: ['1', '2'] } });
  });

  it('may be raw bytes of any content type', async () => {
    for (const type of ['application/json', 'text/plain; charset=utf-16', FORM]) {
      const { body } = await post('/raw', type)
        .serialize((bytes: string) => bytes)
        .send('{"a" : 1, "a":\u00e9')
        .expect(200);
      expect(body).toEqual({ hex: Buffer.from('{"a" : 1, "a":\u00e9').toString('hex') });
    }
  });

  it.each([
    ['/form', { fields: {} }],
    ['/raw', { hex: '' }],
    ['/json', { body: {} }],
  ])('may be missing at %s', async (path, expected) => {
    expect((await request(url).post(path).expect(200)).body).toEqual(expected);
  });

  it('is not read when the route takes none', async () => {
    const { body } = await post('/none', 'application/json').send('{').expect(200);
    expect(body).toEqual({ body: 'not read' });
  });

  it.each([
    ['/form', FORM, 16],
    ['/raw', 'application/octet-stream', 64],
    ['/json', 'application/json', 256],
  ])('may have this length and no more at %s', async (path, type, limit) => {
    const { status } = await post(path, type).send(`"${'x'.repeat(limit * 1_024 - 2)}"`);
    expect(status).not.toBe(413);
    await post(path, type)
      .send(`"${'x'.repeat(limit * 1_024 - 1)}"`)
      .expect(413, /body_too_large/);
    expect(await chunked(path, type, limit * 1_024 + 1)).toMatch(/^HTTP\/1.1 413 /);
  });

  /** Sends a body without Content-Length. */
  async function chunked(path: string, type: string, size: number): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answer = text(socket);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n',
    );
    socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`);
    return answer;
  }

  it('is aborted when too many unauthenticated bodies are unfinished: the oldest first', async () => {
    const unfinished = `POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n${'x'.repeat(65_000)}`;
    const started = await Promise.all(Array.from({ length: 300 }, () => RawConnection.open(url, unfinished)));
    const cutOff = () => started.filter(({ isOpen }) => !isOpen);
    await eventually(() => cutOff().length > 0);
    const { received } = cutOff()[0]!;
    expect(received).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 1\r\n.*"code":"rate_limited"/s);
    expect(received).toMatch(/^Connection: close/m);
    const body = `"${'x'.repeat(60_000)}"`;
    for (let n = 0; n < 5; n++) await post('/raw', 'application/octet-stream').send(body).expect(200);
    await post('/json', 'application/json').set('Authorization', 'Bearer known').send(body).expect(422);
    for (const connection of started) connection.end();
  });

  it.each([
    ['/form', 'application/json'],
    ['/form', 'multipart/form-data; boundary=x'],
    ['/form', `${FORM}; charset=iso-8859-1`],
    ['/form', `${FORM}x`],
    ['/json', FORM],
    ['/json', 'application/jsonp'],
  ])('is refused at %s as %s', async (path, type) => {
    await post(path, type)
      .send('a=1')
      .expect(415, /unsupported_media_type/);
  });

  it.each(['/form', '/raw', '/json'])('is refused at %s when it is compressed', async (path) => {
    await post(path, path === '/form' ? FORM : 'application/json')
      .set('Content-Encoding', 'gzip')
      .send(gzipSync('{}'))
      .expect(415, /unsupported_media_type/);
  });

  it('is refused as a form when it is malformed or has too many fields', async () => {
    await post('/form', FORM)
      .send('a=%ZZ')
      .expect(400, /malformed_request/);
    await post('/form', FORM)
      .send('a=1&'.repeat(251))
      .expect(400, /body_too_complex/);
  });
});
