import type { TokenReplaced } from '../../../auth/tokens/client-tokens.js';
import type { TokenIssued } from '../../../auth/tokens/issue-token.js';
import type { Overlap } from '../../../auth/tokens/token-forms.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { CopyBlock, CopyField } from '../../../pages/components/copy.js';
import type { Page } from '../../../pages/page.js';
import { curlLine } from '../curl-line.js';
import { API_ACCESS } from './paths.js';

/** The answer to the form itself, and no page that could be asked for again: of the token only its hash is kept. */
export function tokenMadePage(issued: TokenIssued | TokenReplaced, baseUrl: string): Page {
  const { token, name, domain } = issued;
  return {
    title: 'Copy your new token now',
    lead: `“${name}” is good at once, for ${domain}. It is shown this once: whoever loses it makes another one.`,
    back: { href: API_ACCESS, text: 'API access' },
    content: (
      <Card>
        <CopyField label="Token" id="token" value={token} />
        {'replaced' in issued && <p>{whatBecomesOf(issued)}</p>}
        <p class="hint">Try it where only you read along. A shell keeps what it is given.</p>
        <CopyBlock id="first-call" label="A first call" text={curlLine(baseUrl, issued)} />
        <div class="actions">
          <ButtonLink href={API_ACCESS} kind="primary">
            I have kept it
          </ButtonLink>
        </div>
      </Card>
    ),
  };
}

const LASTS: Record<Exclude<Overlap, 'now'>, string> = {
  '1h': 'one more hour',
  '24h': '24 more hours',
  '7d': '7 more days',
};

function whatBecomesOf({ replaced: { prefix, overlap } }: TokenReplaced): string {
  if (overlap === 'now') return `The one before, ${prefix}…, is refused from now on.`;
  return `The one before, ${prefix}…, is good for ${LASTS[overlap]} at most. Put the new one in its place until then.`;
}
