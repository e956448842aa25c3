import { Get, Inject } from '@nestjs/common';
import {
  AUDIT_DAYS,
  AuditListRepository,
  type NumberedAuditRow,
} from '../../../modules/audit/audit-list.repository.js';
import { ClientFinderService } from '../../../modules/clients/client-finder.service.js';
import { isReversed, toInstants } from '../../../shared/ui/components/period-fields.js';
import type { Page } from '../../../shared/ui/page.js';
import { MAX_NAMED_PEOPLE, PeopleListService } from '../../../modules/people/people-list.service.js';
import { NO_ROWS } from '../../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addDays, dayAt } from '../../../platform/time/time.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { AUDIT_LIST, type AuditNames, numbersIn } from './audit-page.js';

const NO_NAMES: AuditNames = { people: new Map(), clients: new Map(), currency: 'INR' };

@DeskPages('audit')
export class AuditController {
  constructor(
    private readonly entries: AuditListRepository,
    private readonly clients: ClientFinderService,
    private readonly people: PeopleListService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    const { selected, mark } = AUDIT_LIST.read(fields);
    const today = dayAt(Date.now(), me.timeZone);
    const { from = addDays(today, 1 - AUDIT_DAYS), to, client, ...words } = selected;
    const listProps = {
      query: { selected: { ...selected, from }, mark },
      today,
      title: 'Audit log',
      lead: 'What people and commands did, newest first. Entries are never changed.',
    };
    const { clientId, refusal } = await this.clients.resolveFilter(client);
    if (refusal !== undefined || isReversed({ from, to }))
      return AUDIT_LIST.page({ ...listProps, refusal, result: NO_ROWS, context: NO_NAMES });
    const { from: since, to: until } = toInstants({ from, to }, me.timeZone);
    const namedIds =
      words.actor === undefined ? [] : await this.people.idsNamed(words.actor, MAX_NAMED_PEOPLE);
    const filter = { ...words, namedIds, clientId, since, to: until };
    const found = await AUDIT_LIST.find((limit) => this.entries.newest(filter, mark, limit));
    return AUDIT_LIST.page({ ...listProps, result: found, context: await this.namesOf(found.rows) });
  }

  /** The names of the people and clients in these entries. */
  private async namesOf(entries: readonly NumberedAuditRow[]): Promise<AuditNames> {
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
