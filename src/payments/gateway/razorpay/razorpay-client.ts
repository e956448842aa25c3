import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { gatewayRefused, gatewayUnavailable } from '../gateway-errors.js';
import type { RazorpayAccount } from './razorpay-account.js';
import { oneLine } from './one-line.js';
import { basicCredentials, withoutSecrets } from './without-secrets.js';

/** For each attempt. Three of them and the pauses make 25 s at most, which is less than browsers and balancers wait. */
const TIMEOUT_MS = 8_000;
const ATTEMPTS = 3;
const PAUSE_MS = 250;

/** The attempts at an order that hundreds tried to pay are far less. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The one status by which it says that it has not done and will not do it. Any other may be about the way there: keys, limits, a proxy. */
const REFUSED = 400;

export interface Call {
  method: 'GET' | 'POST';
  /** Below `/v1`. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/**
 * Asks the gateway, and again where no good answer came: so everything that is asked through it must be safe to ask again, and its
 * callers say why it is. What is not the protocol's counts as no answer.
 */
export class RazorpayClient {
  constructor(
    private readonly account: RazorpayAccount,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async ask<Answer>(call: Call, read: (json: unknown) => Answer): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(call, read);
      } catch (error) {
        const { code } = error as DomainError;
        if (code === 'gateway_refused' && attempt > 1) throw unknownOutcome(error);
        if (attempt === ATTEMPTS || code !== 'gateway_unavailable') throw error;
        await pause(PAUSE_MS * attempt * (0.5 + Math.random()));
      }
    }
  }

  private async attempt<Answer>(call: Call, read: (json: unknown) => Answer): Promise<Answer> {
    const { status, text } = await this.send(call);
    const json = parse(text);
    if (status >= 200 && status < 300) return this.understand(json, read);
    const told = oneLine(withoutSecrets(descriptionIn(json) ?? 'It does not say why.', this.account));
    if (status === REFUSED) throw gatewayRefused(`The payment gateway refuses this (${status}): ${told}`);
    throw gatewayUnavailable(`The payment gateway cannot do this now (${status}): ${told}`);
  }

  private async send({ method, path, headers, body }: Call): Promise<{ status: number; text: string }> {
    const { account } = this;
    const base = account.apiUrl();
    try {
      const response = await fetch(`${base}/v1${path}`, {
        method,
        headers: {
          ...headers,
          Authorization: `Basic ${basicCredentials(account.keyId, account.keySecret)}`,
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        // The credentials are for this address and no other.
        redirect: 'error',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      return { status: response.status, text: await textOf(response) };
    } catch (cause) {
      throw gatewayUnavailable(`The payment gateway at ${base} does not answer. ${account.whenAway}`, cause);
    }
  }

  private understand<Answer>(json: unknown, read: (json: unknown) => Answer): Answer {
    try {
      return read(json);
    } catch (cause) {
      throw gatewayUnavailable('The payment gateway answers otherwise than its protocol says.', cause);
    }
  }
}

/** What came of the attempt that was not answered, a later no does not tell. */
function unknownOutcome(cause: unknown): DomainError {
  return gatewayUnavailable('The payment gateway refuses what it may have done already.', cause);
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError('The answer has no end.');
  }
  return Buffer.concat(pieces).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function descriptionIn(json: unknown): string | undefined {
  const description = (json as { error?: { description?: unknown } | null } | null | undefined)?.error
    ?.description;
  return typeof description === 'string' ? description : undefined;
}
