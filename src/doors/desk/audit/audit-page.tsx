import type { AuditNumbered } from '../../../audit/audit-list.repository.js';
import { type Column, titles } from '../../../pages/components/lists.js';
import { ExactTime, Named } from '../../../pages/components/values.js';
import { ListPage } from '../../../pages/list-page.js';
import { AUDIT, clientPath } from '../paths.js';

const LONGEST_WORD = 100;

const COLUMNS: Column<AuditNumbered>[] = [
  { heading: 'When', nowrap: true, cell: ({ happened_at: at }) => <ExactTime at={at} /> },
  titles('Who', ({ actor, address }) => ({ text: actor, detail: address })),
  { heading: 'What', cell: ({ action, subject }) => <Named detail={subject}>{action}</Named> },
  { heading: 'Client', cell: ({ client_id: id }) => (id === null ? '–' : <a href={clientPath(id)}>{id}</a>) },
  { heading: 'Values', cell: ({ details }) => <Values of={details} /> },
];

export const AUDIT_LIST = new ListPage({
  path: AUDIT,
  caption: 'Entries',
  filters: {
    actor: { as: 'search', label: 'Who', longest: LONGEST_WORD },
    action: { as: 'word', label: 'Action', longest: LONGEST_WORD },
    subject: { as: 'word', label: 'Subject', longest: LONGEST_WORD },
    client: { as: 'word', label: 'Client', longest: LONGEST_WORD },
  },
  hasDays: true,
  mark: { name: 'before', kind: 'long', of: ({ id }: AuditNumbered) => Number(id) },
  columns: () => COLUMNS,
  empty: { none: 'No entry matches. Choose a longer period or fewer words.' },
});

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
