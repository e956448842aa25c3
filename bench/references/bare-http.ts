// Bare node:http that sends the status, headers and bytes of one answer of the service to every request.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serve } from './serve.js';

const outgoing = request(process.env.URL!, {
  headers: JSON.parse(process.env.HEADERS!) as object as {},
}).end();
const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers;
const body = await buffer(answer);

serve((_request, response) => response.writeHead(answer.statusCode!, headers).end(body));
