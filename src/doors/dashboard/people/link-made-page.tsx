import type { PersonWithLink } from '../../../auth/people/people-administration.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { CopyField } from '../../../pages/components/copy.js';
import { When } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { PEOPLE } from './paths.js';

/** Where no mail is sent, whoever made the link passes it on. It is shown this once. */
export function linkMadePage({ email, link, url }: PersonWithLink): Page {
  return {
    title: link!.kind === 'invitation' ? `Send ${email} this invitation` : `Send ${email} this link`,
    lead: 'No mail is sent from here. Pass it on in a way that nobody else reads: it lets in whoever opens it first.',
    back: { href: PEOPLE, text: 'People' },
    content: (
      <Card>
        <CopyField label="Link" id="link" value={url!} />
        <p class="small">
          It ends <When at={link!.ends_at} /> and is not shown again. You can make another one at any time.
        </p>
        <div class="actions">
          <ButtonLink href={PEOPLE}>I have passed it on</ButtonLink>
        </div>
      </Card>
    ),
  };
}
