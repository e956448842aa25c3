import { Controller, Inject } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { AdminRoute, DEFAULT_LIMIT, pageOf } from '../../../platform/http/admin-route.js';
import {
  TextField,
  TextOrNull,
  TimeField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { LogQuery, readLogPeriod } from '../../../platform/http/log-query.js';
import { LOG_DIGITS, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DAY_MS } from '../../../platform/time/time.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { AUDIT_DAYS, AuditListRepository } from '../../audit/audit-list.repository.js';
import { OptionalClient } from '../../clients/admin/client-param.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { MAX_NAMED_PEOPLE, PeopleListService } from '../people-list.service.js';

const Word = (description: string, example: string) => OptionalText({ max: 200, description, example });

class AuditQuery extends LogQuery {
  @OptionalClient('Only entries about this client') client?: string;
  @Word('Only entries of this person: number or e-mail address. Failed sign-ins too.', 'ravi@example.com')
  person?: string;

  @Word("A part of the author's address or name, or of the name of a key.", 'ERP') actor?: string;
  @Word('Only this action, or all that begin with this text.', 'token.') action?: string;
  @Word('A part of the subject.', 'token 12') subject?: string;
}

@ApiSchema({ name: 'AdminAuditEntry' })
class AuditEntryResponse {
  @TimeField('When it happened.', '2026-11-20T09:30:00.000Z') happened_at: Date;
  @WholeNumberOrNull('The number of the client that it concerns.', 3) client_id: number | null;
  @TextField('Who did it.', 'key 3 (ERP)') actor: string;
  @TextField('Subject and verb.', 'token.issued') action: string;
  @TextField('What it was done to.', 'token 12') subject: string;
  @ApiProperty({
    description: 'The facts of the action.',
    type: 'object',
    additionalProperties: true,
    example: { domain: 'mango.example.com' },
  })
  details: object;

  @TextOrNull('The address that the request came from.', '203.0.113.7') address: string | null;
}

/** What people, keys and commands did. */
@ApiTags('Logs')
@Controller('api/admin/audit')
export class AdminAuditController {
  constructor(
    private readonly entries: AuditListRepository,
    private readonly clients: ClientFinderService,
    private readonly people: PeopleListService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('read the audit log'),
    operationId: 'listAuditEntries',
    summary: 'Lists the entries of the audit log, the newest first.',
    description: `Without \`from\`, those of the last ${AUDIT_DAYS} days.`,
    answer: { list: AuditEntryResponse },
    errors: ['client_not_found', 'client_ambiguous', 'person_not_found'],
    command: 'audit list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, client, person, from, to, ...words }: AuditQuery) {
    const before = readNumberCursor(after, LOG_DIGITS);
    const clientId = await this.clients.findForFilter(client);
    const personId = person === undefined ? undefined : (await this.people.find(person)).personId;
    const { actor } = words;
    const namedIds = actor === undefined ? [] : await this.people.idsNamed(actor, MAX_NAMED_PEOPLE);
    const period = readLogPeriod({ from, to }, this.settings.timeZone);
    const start = period.since ?? new Date(Date.now() - AUDIT_DAYS * DAY_MS);
    const filter = { ...words, namedIds, clientId, personId, to: period.to, since: start };
    return pageOf(
      await this.entries.newest(filter, before, limit + 1),
      limit,
      ({ id: _, ...entry }) => entry,
      ({ id }) => id,
    );
  }
}
