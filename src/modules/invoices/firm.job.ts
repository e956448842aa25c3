import { Injectable } from '@nestjs/common';
import { CompanyService } from '../company/company.service.js';
import { logoPath } from '../pictures/picture-paths.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { Firm } from '../../platform/settings/firm.js';
import { SellersService } from './sellers.service.js';

const INTERVAL_MS = 10_000;

/** Keeps the name of the current registration and the logo for all pages and mails of this process. */
@Injectable()
export class FirmJob extends BackgroundJob {
  constructor(
    private readonly firm: Firm,
    private readonly sellers: SellersService,
    private readonly company: CompanyService,
  ) {
    super('firm', INTERVAL_MS);
  }

  override start(): void {
    super.start();
    void this.runSoon();
  }

  async run(): Promise<void> {
    const name = await this.sellers.firmName();
    const logo = await this.company.logo();
    Object.assign(this.firm, { name, logo: logo && logoPath(logo) });
  }
}
