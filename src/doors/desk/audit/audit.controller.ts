import { Get } from '@nestjs/common';
import { AuditLog } from '../../../audit/audit-log.js';
import { ClientFinder } from '../../../auth/clients/client-finder.js';
import type { DeskPerson } from '../../../auth/people/signed-in-person.js';
import type { Page } from '../../../pages/page.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { addDays, dayAt } from '../../../platform/time/time.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { isReversed, momentsOf, REVERSED } from '../../shared/period-fields.js';
import { DeskPages } from '../desk-pages.js';
import { type AuditAsked, auditPage, readAuditQuery } from './audit-page.js';

const PAGE_SIZE = 50;

/** Without a first day: a search by words reads all entries of its period. */
const USUAL_DAYS = 30;

@DeskPages('audit')
export class AuditController {
  constructor(
    private readonly log: AuditLog,
    private readonly clients: ClientFinder,
  ) {}

  @Get()
  async list(
    @Me() me: DeskPerson,
    @QueryReadBy(readAuditQuery) { chosen, before }: AuditAsked,
  ): Promise<Page> {
    const today = dayAt(Date.now(), me.timeZone);
    const { client, actor, action, subject } = chosen;
    const period = { from: chosen.from ?? addDays(today, 1 - USUAL_DAYS), to: chosen.to };
    const shown = { chosen: { ...chosen, ...period }, today, before };
    if (isReversed(period)) return { ...auditPage({ ...shown, entries: [], older: undefined }), ...REVERSED };
    try {
      const clientId = client === undefined ? undefined : await this.clients.find(client);
      const filter = { clientId, actor, action, subject };
      const { from: since, to } = momentsOf(period, me.timeZone);
      const found = await this.log.newest({ ...filter, since, to }, before, PAGE_SIZE + 1);
      const { rows, last } = onePage(found, PAGE_SIZE);
      return auditPage({ ...shown, entries: rows, older: last?.id });
    } catch (error) {
      if (!(error instanceof DomainError && error.code.startsWith('client_'))) throw error;
      const page = auditPage({ ...shown, entries: [], older: undefined });
      return { ...page, refusal: error.message, status: 422 };
    }
  }
}
