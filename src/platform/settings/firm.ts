import { Injectable } from '@nestjs/common';

/**
 * The firm as its pages and mails name it. Set at the desk, so it may change while the service runs: a job
 * of the invoices keeps it up to date. The command line has no jobs, and so no name.
 */
@Injectable()
export class Firm {
  /** Empty until the desk sets a seller. */
  name = '';
  /** The path of a picture. */
  logo: string | null = null;
}
