import type { JobFailure } from '../../../modules/notices/notices.entity.js';
import type { OnePage } from '../../../platform/lists/bounded-lists.js';
import { describeJob } from '../../../platform/jobs/job-names.js';
import type { MailListItem } from '../../../shared/mail/mail-desk.service.js';
import { Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { RelativeTime } from '../../../shared/ui/components/values.js';
import type { Page } from '../../../shared/ui/page.js';
import { BACK } from './settings-pages.js';

/** Only the first failure of a day is stored, without its reason. A node logs its reason and recovery. */
const NEXT =
  'The service tries again by itself. Its log has the reason, and “The job works again.” once it does.';

const JOB_COLUMNS: ListColumn<JobFailure>[] = [
  titleColumn('Work', ({ job }) => ({ text: describeJob(job) })),
  { heading: 'Next', cell: () => NEXT },
  { heading: 'When', as: 'state', cell: ({ failedAt }) => <RelativeTime at={failedAt} /> },
];

const MAIL_COLUMNS: ListColumn<MailListItem>[] = [
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
];

/** What the service could not do in the background. */
export const failuresPage = (
  jobs: JobFailure[],
  mails: OnePage<MailListItem>,
  areMailsSent: boolean,
): Page => ({
  title: 'Failures in the background',
  lead: 'Background work that failed in the last day, and mails of the last 30 days that were not sent.',
  back: BACK,
  content: (
    <>
      <ListCard
        title="Background work"
        columns={JOB_COLUMNS}
        rows={jobs}
        empty={<Empty>No background work failed in the last day.</Empty>}
      />
      <ListCard
        title={mails.last ? `The newest ${mails.rows.length} mails; there are more` : 'Mails'}
        columns={MAIL_COLUMNS}
        rows={mails.rows}
        empty={
          <Empty>
            {areMailsSent
              ? 'All mails were sent, or wait for their first try.'
              : 'No mail is sent: the settings have no mail server.'}
          </Empty>
        }
      />
    </>
  ),
});
