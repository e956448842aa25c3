import { createServer, type RequestListener, type ServerResponse } from 'node:http';

export function serve(listener: RequestListener): void {
  createServer(listener).listen(Number(process.env.PORT), process.env.HOST);
}

export function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
