import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Sends the requests repeatedly over several connections and counts the answers until the main thread stops
 * it.
 */
const { urls, method, headers, body, connections } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const answers = {};
let flooding = true;
let sent = 0;

function send() {
  return new Promise((resolve) => {
    const url = urls[sent++ % urls.length];
    const flooded = request(url, { method, headers, agent }, (response) => {
      answers[response.statusCode] = (answers[response.statusCode] ?? 0) + 1;
      response.resume().once('end', resolve);
    });
    flooded.once('error', resolve);
    flooded.end(body);
  });
}

async function sendOn() {
  while (flooding) await send();
}

parentPort.once('message', () => {
  flooding = false;
  agent.destroy();
  parentPort.postMessage(answers, []);
});
Array.from({ length: connections }, sendOn);
