import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Repetition } from '../../platform/background/repetition.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PaymentGateway } from '../gateway/payment-gateway.js';
import { GatewayEvents } from '../gateway-events.js';
import { GatewayRefunds } from '../refunds/gateway-refunds.js';
import { DueChecks } from './due-checks.js';
import { PaymentCheck } from './payment-check.js';

const INTERVAL_MS = 2_000;

/**
 * Asks the gateway for what it has not told: payments that are still open, refunds that are not through. So nothing depends on a browser that
 * comes back or an event that arrives. Each node does so by itself, and none what another does.
 */
@Injectable()
export class Reconciler implements BeforeApplicationShutdown {
  /** For the metrics. */
  readonly checks = { answered: 0, unanswered: 0 };
  private readonly logger = new Logger(Reconciler.name);
  private readonly repetition = new Repetition(
    INTERVAL_MS,
    () => this.run(),
    (error) =>
      this.logger.warn(`Payments could not be looked after, the next run will try again: ${String(error)}`),
  );
  private gatewayIsAway = false;
  private stopped = false;

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly due: DueChecks,
    private readonly payments: PaymentCheck,
    private readonly refunds: GatewayRefunds,
    private readonly events: GatewayEvents,
  ) {}

  start(): void {
    this.repetition.start();
  }

  /** Something has become due just now. */
  soon(): void {
    this.repetition.soon();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.repetition.stop();
  }

  /** Asks about all that is due, or until the gateway does not answer. Says how much that was. */
  async run(): Promise<number> {
    let asked = 0;
    for (let goesOn = true; goesOn && !this.stopped;) {
      const round = await this.takeRound();
      const answered = await Promise.all(round.map((check) => this.ask(check)));
      asked += round.length;
      goesOn = round.length > 0 && !answered.includes(false);
    }
    await this.events.purge();
    return asked;
  }

  private async takeRound(): Promise<(() => Promise<void>)[]> {
    const { payments, refunds } = await this.due.take(this.gateway.name);
    return [
      ...payments.map((key) => () => this.payments.check(key)),
      ...refunds.map((key) => () => this.refunds.check(key)),
    ];
  }

  /** Whether the gateway answered. That it does not is told once, and so is that it does again. */
  private async ask(check: () => Promise<void>): Promise<boolean> {
    try {
      await check();
      this.checks.answered++;
      this.tell(false);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'gateway_unavailable')) {
        // It concerns this one alone, and has been put off.
        this.logger.warn(`A payment could not be looked after: ${String(error)}`);
        return true;
      }
      this.checks.unanswered++;
      this.tell(true, error.message);
      return false;
    }
  }

  private tell(isAway: boolean, why = ''): void {
    if (isAway === this.gatewayIsAway) return;
    this.gatewayIsAway = isAway;
    if (isAway) this.logger.warn(`The payment gateway does not answer; payments wait: ${why}`);
    else this.logger.log('The payment gateway answers again.');
  }
}
