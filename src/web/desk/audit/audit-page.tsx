import type { NumberedAuditRow } from '../../../modules/audit/audit-list.repository.js';
import { type ListColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { ExactTime, LoggedValue, NameWithDetail } from '../../../shared/ui/components/values.js';
import { idIn } from '../../../shared/ui/forms.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import { type Link, withQuery } from '../../../shared/ui/page.js';
import { monthsOf, parseReturnPeriod } from '../../../modules/invoices/rules/return-period.js';
import { DESK } from '../../account/account-paths.js';
import {
  AUDIT,
  clientPath,
  clientPaths,
  clientTokenPath,
  MONTH_END,
  orderPath,
  packingPath,
  paymentPath,
  planPath,
  productPath,
  returnPath,
  transferPath,
  upcomingPath,
} from '../paths.js';
import { authorName, labelOf, valueWords } from '../words.js';

const MAX_WORD_LENGTH = 100;

/** The names of the people and clients in the entries, by their numbers. */
export interface AuditNames {
  people: ReadonlyMap<number, string>;
  clients: ReadonlyMap<number, string>;
  currency: string;
}

const COLUMNS = (names: AuditNames): ListColumn<NumberedAuditRow>[] => [
  { heading: 'When', nowrap: true, cell: ({ happened_at: at }) => <ExactTime at={at} /> },
  titleColumn('Who', ({ actor, address }) => ({
    text: names.people.get(numberIn(actor, 'person')) ?? authorName(actor),
    detail: address,
  })),
  {
    heading: 'What',
    cell: (entry) => (
      <NameWithDetail detail={subjectOf(entry, names)}>
        {labelOf(entry.action.replace('.', ' '))}
      </NameWithDetail>
    ),
  },
  {
    heading: 'Client',
    cell: ({ client_id: id }) =>
      id === null ? '–' : <a href={clientPath(id)}>{names.clients.get(id) ?? id}</a>,
  },
  { heading: 'Values', cell: ({ details }) => <Values of={details} currency={names.currency} /> },
];

/** The number behind "person 3"; 0 if there is none. */
function numberIn(text: string, what: 'person' | 'client'): number {
  const [first, number] = text.split(' ', 2);
  return first === what ? idIn(number) : 0;
}

/** The numbers of all people, or all clients, of these entries. */
export const numbersIn = (entries: readonly NumberedAuditRow[], what: 'person' | 'client') =>
  entries
    .flatMap(({ actor, subject }) => [numberIn(actor, what), numberIn(subject, what)])
    .filter((number) => number > 0);

type Subject = (key: string, entry: NumberedAuditRow, names: AuditNames) => Link | undefined;

const SUBJECTS: Record<string, Subject> = {
  order: (number) => ({ href: orderPath(number), text: `Order ${number}` }),
  return: (key) => {
    const period = parseReturnPeriod(key);
    return period === undefined
      ? { href: returnPath(key), text: `Return ${key}` }
      : { href: withQuery(MONTH_END, { month: monthsOf(period)[1] }), text: `GSTR-1 of ${key}` };
  },
  product: (sku) => ({ href: productPath(sku), text: `Product ${sku}` }),
  plan: (code) => ({ href: planPath(code), text: `Plan ${code}` }),
  payment: (id) => ({ href: paymentPath(id), text: 'Payment' }),
  transfer: (id) => ({ href: transferPath(idIn(id)), text: `Transfer ${id}` }),
  'scheduled change': (id) => ({ href: upcomingPath(idIn(id)), text: `Scheduled change ${id}` }),
  'packing list': (id) => ({ href: packingPath(idIn(id)), text: `Packing list ${id}` }),
  client: (id, _, { clients }) => ({
    href: clientPath(idIn(id)),
    text: clients.get(idIn(id)) ?? `Client ${id}`,
  }),
  person: (id, { client_id: client }, { people }) => ({
    href: `${client === null ? DESK.people : clientPaths(client).people}/${idIn(id)}`,
    text: people.get(idIn(id)) ?? `Person ${id}`,
  }),
  token: (id, { client_id: client }) =>
    client === null ? undefined : { href: clientTokenPath(client, idIn(id)), text: `Token ${id}` },
};

function subjectOf(entry: NumberedAuditRow, names: AuditNames) {
  const { subject } = entry;
  // A key such as an SKU may have blanks.
  const kind = Object.keys(SUBJECTS).find((name) => subject.startsWith(`${name} `));
  const link = kind && SUBJECTS[kind]!(subject.slice(kind.length + 1), entry, names);
  return link ? <a href={link.href}>{link.text}</a> : subject;
}

export const AUDIT_LIST = new ListPage({
  path: AUDIT,
  caption: 'Entries',
  filters: {
    actor: { as: 'search', label: 'Who', maxLength: MAX_WORD_LENGTH },
    action: { as: 'word', label: 'Action', maxLength: MAX_WORD_LENGTH },
    subject: { as: 'word', label: 'Subject', maxLength: MAX_WORD_LENGTH },
    client: { as: 'word', label: 'Client', maxLength: MAX_WORD_LENGTH },
  },
  hasDays: true,
  mark: { name: 'before', kind: 'long', of: ({ id }: NumberedAuditRow) => Number(id) },
  columns: COLUMNS,
  empty: { none: 'No entry matches. Choose a longer period or fewer words.' },
});

/** A changed value as "before → after". */
const Values = ({ of, currency }: { of: NumberedAuditRow['details']; currency: string }) => (
  <>
    {Object.entries(of)
      .filter(([name]) => !isBeforeValue(name, of))
      .map(([name, value]) => (
        <div class="small">
          {labelOf(name)}:{' '}
          {`${name}${BEFORE_SUFFIX}` in of && (
            <>
              <LoggedValue of={valueWords(name, of[`${name}${BEFORE_SUFFIX}`], currency)} /> →{' '}
            </>
          )}
          <LoggedValue of={valueWords(name, value, currency)} />
        </div>
      ))}
  </>
);

const BEFORE_SUFFIX = '_before';

const isBeforeValue = (name: string, of: object) =>
  name.endsWith(BEFORE_SUFFIX) && name.slice(0, -BEFORE_SUFFIX.length) in of;
