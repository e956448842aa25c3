import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiRequest } from './api-request.js';
import { readBody } from './read-body.js';
import { readUpload } from './read-upload.js';

describe('A body whose sender goes away while its access is checked', () => {
  let server: Server;

  afterEach(() => {
    server.close();
  });

  const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsku\r\n--b--\r\n';

  it.each([
    ['that arrived', 1],
    ['that arrived in part', 2],
  ])('%s is refused, as a form and as an upload', async (_, share) => {
    const read = new Promise<PromiseSettledResult<unknown>[]>((resolve) => {
      server = createServer((request) => {
        const api = request as ApiRequest;
        request.once('close', () =>
          resolve(
            Promise.allSettled([
              readBody(api, { maxBytes: 1_000 }),
              readUpload(api, 1_000, () => Promise.resolve()),
            ]),
          ),
        );
        leave.destroy();
      });
    });
    server!.listen(0, '127.0.0.1');
    await once(server!, 'listening');
    const { port } = server!.address() as AddressInfo;
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(FORM.length),
    };
    const leave = send({ port, method: 'POST', headers }).on('error', () => undefined);
    leave.write(FORM.slice(0, FORM.length / share));
    const reason = expect.objectContaining({ code: 'malformed_request' }) as unknown;
    expect(await read).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });
});
