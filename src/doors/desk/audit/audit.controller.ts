import { Get } from '@nestjs/common';
import { AuditLog } from '../../../audit/audit-log.js';
import { ClientFinderService } from '../../../clients/client-finder.service.js';
import { isReversed, momentsOf } from '../../../pages/components/period-fields.js';
import type { Page } from '../../../pages/page.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { addDays, dayAt } from '../../../platform/time/time.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { AUDIT_LIST } from './audit-page.js';

/** Without a first day: a search by words reads all entries of its period. */
const USUAL_DAYS = 30;

@DeskPages('audit')
export class AuditController {
  constructor(
    private readonly log: AuditLog,
    private readonly clients: ClientFinderService,
  ) {}

  @Get()
  async list(@Visit() { me, fields }: Visit): Promise<Page> {
    const { chosen, mark } = AUDIT_LIST.read(fields);
    const today = dayAt(Date.now(), me.timeZone);
    const { from = addDays(today, 1 - USUAL_DAYS), to, client, ...words } = chosen;
    const shown = {
      asked: { chosen: { ...chosen, from }, mark },
      context: undefined,
      today,
      title: 'Audit log',
      lead: 'What people and commands did. Entries are never changed.',
    };
    const none = { rows: [], last: undefined };
    if (isReversed({ from, to })) return AUDIT_LIST.page({ ...shown, found: none });
    try {
      const clientId = client === undefined ? undefined : await this.clients.find(client);
      const { from: since, to: until } = momentsOf({ from, to }, me.timeZone);
      const filter = { ...words, clientId, since, to: until };
      const found = await AUDIT_LIST.find((most) => this.log.newest(filter, mark, most));
      return AUDIT_LIST.page({ ...shown, found });
    } catch (error) {
      if (!(error instanceof DomainError && error.code.startsWith('client_'))) throw error;
      return AUDIT_LIST.page({ ...shown, found: none, refusal: error.message });
    }
  }
}
