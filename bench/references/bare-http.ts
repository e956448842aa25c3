// Bare node:http that sends the recorded status, headers and bytes to every request.
import { readFileSync } from 'node:fs';
import type { Recording } from './recording.js';
import { serve } from './serve.js';

const { status, headers, bodyBase64 } = JSON.parse(readFileSync(process.env.RECORDING!, 'utf8')) as Recording;
const body = Buffer.from(bodyBase64, 'base64');

serve((_, response) => {
  response.writeHead(status, headers);
  response.end(body);
});
