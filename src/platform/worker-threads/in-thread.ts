import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { DomainError } from '../errors/domain-error.js';
import type { FromThread, Job, Task, ToThread } from './thread.js';

// Requests come first: beside four threads of middle priority the p99 of a stock check was five to ten times
// the p99 without them, with the lowest priority about twice. Only Linux has a priority for each thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const port = parentPort!;
let onInput: ((next: IteratorResult<unknown>) => void) | undefined;
let onRequested: (() => void) | undefined;

port.on('message', (message: ToThread) => {
  if ('job' in message) void work(message.job);
  else if ('input' in message) onInput?.(message.input);
  else onRequested?.();
});

async function work({ module, facts }: Job): Promise<void> {
  let requested = nextRequest();
  try {
    const { default: task } = (await import(module)) as { default: Task };
    for await (const piece of task(facts, input())) {
      await requested;
      requested = nextRequest();
      sendPiece(piece);
    }
    send({ isOver: true });
  } catch (error) {
    send(toMessage(error));
  }
}

function nextRequest(): Promise<void> {
  return new Promise((resolve) => (onRequested = resolve));
}

async function* input(): AsyncGenerator<unknown> {
  for (;;) {
    const next = await new Promise<IteratorResult<unknown>>((resolve) => {
      onInput = resolve;
      send({ wants: 'input' });
    });
    if (next.done) return;
    yield next.value;
  }
}

function sendPiece(piece: unknown): void {
  if (!(piece instanceof Uint8Array)) return send({ piece });
  // A small buffer is a part of a larger one, which must stay.
  const own = new Uint8Array(piece);
  send({ piece: own }, [own.buffer]);
}

function send(message: FromThread, moved: ArrayBuffer[] = []): void {
  port.postMessage(message, moved);
}

function toMessage(error: unknown): FromThread {
  if (!(error instanceof DomainError)) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { failure: { message, stack } };
  }
  const { code, message, facts, errors, retryAfterSeconds } = error;
  return { refusal: { code, message, facts, errors, retryAfterSeconds } };
}
