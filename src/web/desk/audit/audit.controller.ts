import { Get, Inject } from '@nestjs/common';
import { AuditListRepository, type AuditNumbered } from '../../../modules/audit/audit-list.repository.js';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { isReversed, momentsOf } from '../../../shared/ui/components/period-fields.js';
import type { Page } from '../../../shared/ui/page.js';
import { PeopleListService } from '../../../modules/people/people-list.service.js';
import { NO_ROWS } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addDays, dayAt } from '../../../platform/time/time.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { AUDIT_LIST, type AuditNames, numbersIn } from './audit-page.js';

const NO_NAMES: AuditNames = { people: new Map(), clients: new Map(), currency: 'INR' };

/** The period without a first day. A search reads all entries of its period, so it needs a limit. */
const USUAL_DAYS = 30;

@DeskPages('audit')
export class AuditController {
  constructor(
    private readonly entries: AuditListRepository,
    private readonly clients: ClientFinderService,
    private readonly people: PeopleListService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@Visit() { me, fields }: Visit): Promise<Page> {
    const { chosen, mark } = AUDIT_LIST.read(fields);
    const today = dayAt(Date.now(), me.timeZone);
    const { from = addDays(today, 1 - USUAL_DAYS), to, client, ...words } = chosen;
    const shown = {
      asked: { chosen: { ...chosen, from }, mark },
      today,
      title: 'Audit log',
      lead: 'What people and commands did, newest first. Entries are never changed.',
    };
    const { clientId, refusal } = await this.clients.named(client);
    if (refusal !== undefined || isReversed({ from, to }))
      return AUDIT_LIST.page({ ...shown, refusal, found: NO_ROWS, context: NO_NAMES });
    const { from: since, to: until } = momentsOf({ from, to }, me.timeZone);
    const filter = { ...words, clientId, since, to: until };
    const found = await AUDIT_LIST.find((most) => this.entries.newest(filter, mark, most));
    return AUDIT_LIST.page({ ...shown, found, context: await this.namesOf(found.rows) });
  }

  /** The names of the people and clients in these entries. */
  private async namesOf(entries: readonly AuditNumbered[]): Promise<AuditNames> {
    const [people, clients] = await Promise.all([
      this.people.names(numbersIn(entries, 'person')),
      this.clients.names([
        ...numbersIn(entries, 'client'),
        ...entries.flatMap(({ client_id: id }) => id ?? []),
      ]),
    ]);
    return { people, clients, currency: this.settings.currency };
  }
}
