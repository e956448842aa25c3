/** What a command has to say: one value for scripts, a text for people. Large ones come in pieces. */
export interface Answer {
  /** A value, or the text of one JSON value in pieces. */
  json: object | AsyncIterable<string>;
  text: string | AsyncIterable<string>;
  /** Some of what was asked for could not be done. */
  incomplete?: boolean;
  /** How many rows a list left out. It is known when the answer has been written. */
  leftOut?: () => number;
  /** What went wrong when all else was done. It is told after the answer. */
  failure?: unknown;
  /** Called when the answer has been written. */
  close?: () => Promise<void>;
}
