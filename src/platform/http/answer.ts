import type { ServerResponse } from 'node:http';

/** What a handler gives back where the answer is neither JSON nor a file: it knows its status, its headers and its body. */
export abstract class Answer {
  abstract send(response: ServerResponse): void;
}
