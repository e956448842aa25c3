import type { AuditNumbered } from '../../../audit/audit-log.js';
import { Empty } from '../../../pages/components/layout.js';
import { type Column, ListCard, Pager, SearchForm, titles } from '../../../pages/components/lists.js';
import { ExactTime, Named } from '../../../pages/components/values.js';
import { placeIn, wordIn } from '../../../pages/forms.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { Day } from '../../../platform/time/time.js';
import { dayIn, type DayPeriod, given, PeriodFields } from '../../shared/period-fields.js';
import { AUDIT, clientPath } from '../paths.js';

const LONGEST_WORD = 100;

/** The filter in the page's address. */
interface Chosen extends DayPeriod {
  /** A part of the author's name or address. */
  actor?: string;
  /** An action or its beginning: `token.` or `token.revoked`. */
  action?: string;
  /** A part of the subject: `order WO-…`. */
  subject?: string;
  client?: string;
}

export interface AuditAsked {
  chosen: Chosen;
  /** The last entry of the page before. */
  before: number | undefined;
}

export function readAuditQuery(query: FormFields): AuditAsked {
  return {
    chosen: given({
      actor: wordIn(query, 'actor', LONGEST_WORD),
      action: wordIn(query, 'action', LONGEST_WORD),
      subject: wordIn(query, 'subject', LONGEST_WORD),
      client: wordIn(query, 'client', LONGEST_WORD),
      from: dayIn(query, 'from'),
      to: dayIn(query, 'to'),
    }),
    before: placeIn(query, 'before', 15),
  };
}

interface Shown extends AuditAsked {
  today: Day;
  entries: AuditNumbered[];
  older: string | undefined;
}

export function auditPage({ chosen, today, entries, before, older }: Shown): Page {
  const { actor, ...others } = chosen;
  const pathOf = (changed: DayPeriod & { before?: string }) => withQuery(AUDIT, { ...chosen, ...changed });
  return {
    title: 'Audit log',
    lead: 'What people and commands did. Entries are never changed.',
    content: (
      <>
        <SearchForm action={AUDIT} name="actor" label="Who" placeholder="Who" value={actor}>
          {(['action', 'subject', 'client'] as const).map((name) => (
            <label>
              {LABELS[name]}
              <input name={name} value={others[name]} maxlength={LONGEST_WORD} />
            </label>
          ))}
          <PeriodFields period={chosen} today={today} pathOf={pathOf} />
        </SearchForm>
        <ListCard
          caption="Entries"
          columns={COLUMNS}
          rows={entries}
          empty={
            <Empty>
              <p>No entry matches. Choose a longer period or fewer words.</p>
            </Empty>
          }
          pager={<Pager at={before?.toString()} next={older} path={(from) => pathOf({ before: from })} />}
        />
      </>
    ),
  };
}

const LABELS = { action: 'Action', subject: 'Subject', client: 'Client' };

const COLUMNS: Column<AuditNumbered>[] = [
  { heading: 'When', nowrap: true, cell: ({ happened_at: at }) => <ExactTime at={at} /> },
  titles('Who', ({ actor, address }) => ({ text: actor, detail: address })),
  { heading: 'What', cell: ({ action, subject }) => <Named detail={subject}>{action}</Named> },
  { heading: 'Client', cell: ({ client_id: id }) => (id === null ? '–' : <a href={clientPath(id)}>{id}</a>) },
  { heading: 'Values', cell: ({ details }) => <Values of={details} /> },
];

/** A changed value as "before → after". */
const Values = ({ of }: { of: AuditNumbered['details'] }) => (
  <>
    {Object.entries(of)
      .filter(([name]) => !isFormer(name, of))
      .map(([name, value]) => (
        <div class="small">
          {name.replaceAll('_', ' ')}: {`${name}_before` in of && `${told(of[`${name}_before`])} → `}
          {told(value)}
        </div>
      ))}
  </>
);

const FORMER = '_before';

const isFormer = (name: string, of: object) => name.endsWith(FORMER) && name.slice(0, -FORMER.length) in of;

const told = (value: unknown) => (value === null || value === '' ? 'none' : String(value));
