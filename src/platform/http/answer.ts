import type { Response } from 'express';

/** What a handler gives back where the answer is neither JSON nor a file: it knows its status, its headers and its body. */
export abstract class Answer {
  abstract send(response: Response): void;
}
