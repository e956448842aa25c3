import { ButtonLink } from '../../../pages/components/button.js';
import type { Page } from '../../../pages/page.js';
import { SIGN_IN } from './paths.js';

/** In place of the form, where what is typed into it could be read on the way. */
export function insecurePage(publicUrl: string): Page {
  const isSecure = publicUrl.startsWith('https:');
  return {
    title: 'Signing in needs a secure connection',
    lead: 'This page came to you over plain http: whoever is in between could read your password. Nobody can sign in here.',
    status: 403,
    content: (
      <>
        {isSecure && (
          <ButtonLink href={publicUrl + SIGN_IN} kind="primary">
            Sign in over a secure connection
          </ButtonLink>
        )}
        <p class="small">
          For whoever runs the service: let a proxy speak TLS with browsers, set <code>PUBLIC_URL</code> to
          the address that begins with <code>https://</code>, and <code>TRUST_PROXY</code> to that proxy,
          which says in <code>X-Forwarded-Proto</code> how the browser came. On the machine itself{' '}
          <code>http://localhost</code> will do.
        </p>
      </>
    ),
  };
}
