import type { JobFailure } from '../../../modules/notices/notices.entity.js';
import type { OnePage } from '../../../platform/lists/bounded-lists.js';
import { describeJob } from '../../../platform/jobs/job-names.js';
import type { MailListItem } from '../../../shared/mail/mail-desk.service.js';
import { Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { RelativeTime } from '../../../shared/ui/components/values.js';
import { ListPage, type QueryOf } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import { FAILURES, TO_SETTINGS } from '../paths.js';

/** Only the first failure of a day is stored, without its reason. A node logs its reason and recovery. */
const NEXT =
  'The service tries again by itself. Its log has the reason, and “The job works again.” once it does.';

const JOB_COLUMNS: ListColumn<JobFailure>[] = [
  titleColumn('Work', ({ job }) => ({ text: describeJob(job) })),
  { heading: 'Next', cell: () => NEXT },
  { heading: 'When', as: 'state', cell: ({ failedAt }) => <RelativeTime at={failedAt} /> },
];

/** Unsent mails. */
export const MAILS = new ListPage({
  path: FAILURES,
  caption: 'Mails',
  filters: {},
  mark: { name: 'before', kind: 'uuid', of: ({ mail_id: mailId }: MailListItem) => mailId },
  columns: (): ListColumn<MailListItem>[] => [
    titleColumn('Mail', ({ subject, recipient }) => ({ text: subject, detail: recipient })),
    { heading: 'Reason', cell: ({ fault }) => fault ?? 'It was too old before the mail server accepted it.' },
    {
      heading: 'Next',
      cell: ({ next_try_at: at }) =>
        at ? (
          <>
            The service tries again <RelativeTime at={at} />.
          </>
        ) : (
          'The service gave it up. Check the address. If the mail had a link, make a new one under People.'
        ),
    },
    timeColumn('Written', ({ created_at: at }) => at),
  ],
  empty: { none: 'All mails were sent, or wait for their first try.' },
});

/** What the service could not do in the background. */
export const failuresPage = (
  jobs: JobFailure[],
  query: QueryOf<typeof MAILS>,
  result: OnePage<MailListItem>,
  areMailsSent: boolean,
): Page => ({
  title: 'Failures in the background',
  lead: 'Background work that failed in the last day, and mails of the last 30 days that were not sent.',
  back: TO_SETTINGS,
  content: (
    <>
      <ListCard
        title="Background work"
        columns={JOB_COLUMNS}
        rows={jobs}
        empty={<Empty>No background work failed in the last day.</Empty>}
      />
      {!areMailsSent && <p>No mail is sent: the settings have no mail server.</p>}
      {(areMailsSent || result.rows.length > 0) && MAILS.card({ title: 'Mails', query, result, context: {} })}
    </>
  ),
});
