/**
 * What steers a terminal, a printer or a log (C0 and C1 controls), breaks a line though it is no line break (U+2028, U+2029), or turns the
 * direction of all that follows, so that a text reads otherwise than it is kept (embeddings, overrides, isolates: "Trojan Source").
 * Fine are the marks that right-to-left texts need (LRM, RLM, ALM), and the joiners of Indic scripts and emoji: they reach no further
 * than their neighbours.
 */
const STEERS_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Of those, what has no business in a text of several lines either. */
const STEERS = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;

interface PlainText {
  allows(text: string): boolean;
  /** Finishes the sentence "the name …". */
  fault: string;
}

/** A name, an address, an id: what it looks like, and on one line. */
export const PLAIN_LINE: PlainText = {
  allows: (text) => !STEERS_A_LINE.test(text),
  fault: 'must be one line, without control characters or such as turn the direction of text',
};

/** Line breaks and tabs are fine. */
export const PLAIN_LINES: PlainText = {
  allows: (text) => !STEERS.test(text),
  fault:
    'must not contain control characters but line breaks and tabs, nor such as turn the direction of text',
};
