import { Button } from '../../../pages/components/button.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Refused } from '../../../pages/components/notice.js';
import type { Page } from '../../../pages/page.js';
import { LINK, RESET } from './paths.js';

/** Where every link leads. A script sends the code at once; without one it is pasted. */
export function linkPage(refusal?: { status: number; message: string }): Page {
  return {
    title: 'Open your link',
    lead: 'Paste the code that stands behind the # of the link that you were sent, or all of the link.',
    status: refusal?.status ?? 200,
    content: (
      <>
        {refusal && <Refused>{refusal.message}</Refused>}
        <Form action={LINK}>
          <Field label="Code" name="code" autocomplete="off" maxlength={500} fromFragment required />
          <Button kind="primary">Go on</Button>
        </Form>
        {refusal && (
          <p class="small">
            Who invited you can send another invitation. If you have signed in before,{' '}
            <a href={RESET}>ask for a new password</a>.
          </p>
        )}
      </>
    ),
  };
}
