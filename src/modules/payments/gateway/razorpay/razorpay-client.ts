import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../../platform/errors/domain-error.js';
import type { GatewaySettings } from '../../../../platform/settings/gateway-settings.js';
import { type GatewayName, gatewayRefused, gatewayUnavailable } from '../payment-gateway.js';
import { toOneLine } from './read-answers.js';

/**
 * The limit of one attempt. Three attempts and their pauses take 25 s at most, less than the limits of
 * browsers and balancers.
 */
const TIMEOUT_MS = 8_000;
const MAX_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 250;

/** The answer for an order with hundreds of attempts is much smaller. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Only this status proves that nothing was done. Other statuses may come from keys, limits or a proxy. */
const REFUSED = 400;

interface RazorpayCall {
  method: 'GET' | 'POST';
  /** Below `/v1`. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/**
 * Calls the gateway, and retries if there is no valid answer. So every call must be safe to repeat; each
 * caller has a comment with the reason. An answer that breaks the protocol counts as no answer.
 */
export class RazorpayClient {
  constructor(
    private readonly account: RazorpayAccount,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async request<Answer>(call: RazorpayCall, read: (json: unknown) => Answer): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(call, read);
      } catch (error) {
        const { code } = error as DomainError;
        if (code === 'gateway_refused' && attempt > 1) throw unknownOutcome(error);
        if (attempt === MAX_ATTEMPTS || code !== 'gateway_unavailable') throw error;
        await pause(RETRY_PAUSE_MS * attempt * (0.5 + Math.random()));
      }
    }
  }

  private async attempt<Answer>(call: RazorpayCall, read: (json: unknown) => Answer): Promise<Answer> {
    const { status, text } = await this.send(call);
    const json = parse(text);
    if (status >= 200 && status < 300) return this.parseAnswer(json, read);
    const reason = toOneLine(withoutSecrets(descriptionIn(json) ?? 'It gave no reason.', this.account));
    if (status === REFUSED) throw gatewayRefused(`The payment gateway refuses this (${status}): ${reason}`);
    throw gatewayUnavailable(`The payment gateway cannot do this now (${status}): ${reason}`);
  }

  private async send({
    method,
    path,
    headers,
    body,
  }: RazorpayCall): Promise<{ status: number; text: string }> {
    const { account } = this;
    const base = account.apiUrl();
    const signal = AbortSignal.timeout(this.timeoutMs);
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
        // The credentials must not follow a redirect.
        redirect: 'error',
        signal,
      });
      return { status: response.status, text: await readText(response, signal) };
    } catch (cause) {
      throw gatewayUnavailable(
        `The payment gateway at ${base} does not answer. ${account.unavailableHint}`,
        cause,
      );
    }
  }

  private parseAnswer<Answer>(json: unknown, read: (json: unknown) => Answer): Answer {
    try {
      return read(json);
    } catch (cause) {
      throw gatewayUnavailable('The answer of the payment gateway breaks its protocol.', cause);
    }
  }
}

/** A refusal of a retry does not tell the outcome of the first attempt. */
function unknownOutcome(cause: unknown): DomainError {
  return gatewayUnavailable(
    'The payment gateway refused a retry, but the first attempt may have succeeded.',
    cause,
  );
}

/** `fetch` forgets its signal if garbage is collected while the body arrives (nodejs/undici#4068). */
async function readText({ body }: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const read: AsyncIterable<Uint8Array> | undefined = body
    ? Readable.fromWeb(body as ReadableStream, { signal })
    : undefined;
  for await (const chunk of read ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError('The answer has no end.');
  }
  return Buffer.concat(chunks).toString();
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

type RazorpaySettings = Extract<GatewaySettings, { name: 'razorpay' }>;

/** An account that the adapter uses with Razorpay's protocol. */
export interface RazorpayAccount extends Omit<RazorpaySettings, 'name' | 'apiUrl'> {
  name: Exclude<GatewayName, 'none'>;
  /**
   * The address of the API. A function, because the sandbox's address is known only after the service
   * listens.
   */
  apiUrl(): string;
  /** The address of the same paths for a browser. */
  pageUrl(): string;
  /** A sentence with advice for the case that the gateway does not answer. */
  unavailableHint: string;
}

export function razorpayAccount({ apiUrl, ...keys }: RazorpaySettings): RazorpayAccount {
  return {
    ...keys,
    name: keys.keyId.startsWith('rzp_test_') ? 'razorpay_test' : 'razorpay',
    apiUrl: () => apiUrl,
    pageUrl: () => apiUrl,
    unavailableHint: 'Try again later.',
  };
}

/** A gateway's error text may repeat secrets that we sent. */
function withoutSecrets(text: string, { keyId, keySecret, webhookSecret }: RazorpayAccount): string {
  const secrets = [keySecret, webhookSecret, basicCredentials(keyId, keySecret)];
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

function basicCredentials(keyId: string, keySecret: string): string {
  return Buffer.from(`${keyId}:${keySecret}`).toString('base64');
}
