import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { DueChecksRepository } from './due-checks.repository.js';
import { PaymentGateway } from './gateway/payment-gateway.js';
import { GatewayRefundsService } from './gateway-refunds.service.js';
import { SettlementService } from './settlement.service.js';

const INTERVAL_MS = 2_000;

/**
 * Asks the gateway about open payments and refunds, so that nothing depends on a returning browser or an
 * event. Nodes share the work and never check the same payment at once.
 */
@Injectable()
export class ReconcilerService extends BackgroundJob {
  /** Counted for the metrics. */
  private readonly checks = { answered: 0, unanswered: 0 };
  override readonly counted = {
    name: 'gateway_checks_total',
    help: 'Checks of payments and refunds at the gateway.',
    counts: this.checks,
  };
  private gatewayIsAway = false;

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly due: DueChecksRepository,
    private readonly settlement: SettlementService,
    private readonly refunds: GatewayRefundsService,
  ) {
    super('reconciler', INTERVAL_MS);
  }

  /**
   * Checks everything that is due, until the gateway does not answer. Returns the number of checks.
   */
  async run(): Promise<number> {
    let checked = 0;
    for (let hasMore = true; hasMore && !this.isStopping;) {
      const round = await this.takeRound();
      const answered = await Promise.all(round.map((check) => this.runCheck(check)));
      checked += round.length;
      hasMore = round.length > 0 && !answered.includes(false);
    }
    await this.due.purgeEvents();
    return checked;
  }

  private async takeRound(): Promise<(() => Promise<void>)[]> {
    const { payments, refunds } = await this.due.take(this.gateway.name);
    return [
      ...payments.map((key) => () => this.settlement.check(key)),
      ...refunds.map((key) => () => this.refunds.check(key)),
    ];
  }

  /** Returns whether the gateway answered. Logs only when that changes. */
  private async runCheck(check: () => Promise<void>): Promise<boolean> {
    try {
      await check();
      this.checks.answered++;
      this.reportAvailability(false);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'gateway_unavailable')) {
        // The error concerns this payment alone, and its check is postponed.
        this.logger.warn(`A payment could not be checked: ${String(error)}`);
        return true;
      }
      this.checks.unanswered++;
      this.reportAvailability(true, error.message);
      return false;
    }
  }

  private reportAvailability(isAway: boolean, why = ''): void {
    if (isAway === this.gatewayIsAway) return;
    this.gatewayIsAway = isAway;
    if (isAway) this.logger.warn(`The payment gateway does not answer; payments wait: ${why}`);
    else this.logger.log('The payment gateway answers again.');
  }
}
