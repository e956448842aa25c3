import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import { type SeeOther, seeOther, withQuery } from '../../shared/ui/page.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { allowedMethods } from '../../platform/http/allowed-methods.js';
import { type ApiRequest, isRead } from '../../platform/http/api-request.js';
import { type AccountPaths, DASHBOARD, DESK } from './account-paths.js';

export type FormNames = readonly [RegExp, string][];

const FORMS: FormNames = [
  [/\/people\/invite$/, 'Invite'],
  [/\/people\//, 'Person'],
  [/\/security\/password$/, 'Change your password'],
  [/\/security\/sessions/, 'End a session'],
  [/\/security\/two-factor/, 'Second step'],
];

/** Redirects people without a session to sign-in, and people of the other site to their own pages. */
export function redirectForError(
  paths: AccountPaths,
  { code }: DomainError,
  request: ApiRequest,
  forms: FormNames = [],
): SeeOther | undefined {
  if (code === 'session_missing') return toSignIn(paths, request, [...forms, ...FORMS]);
  if (code === 'second_step_missing')
    return seeOther(paths.twoFactor, { kind: 'warn', text: 'First set up a second step for signing in.' });
  const home = homeOf(request);
  const isOther = code === 'role_missing' && home !== undefined && home !== paths.home;
  return isOther && isRead(request) ? seeOther(home) : undefined;
}

function homeOf({ person }: ApiRequest): string | undefined {
  return person && (person.clientId === null ? DESK : DASHBOARD).home;
}

/** The signed-in person, if the page belongs to this person's site. */
export function signedInPersonOf(paths: AccountPaths, request: ApiRequest): SignedInPerson | undefined {
  return homeOf(request) === paths.home ? (request.person as SignedInPerson) : undefined;
}

/** Sign-in leads back to the page. A form is not sent again: the person decides that on the page. */
function toSignIn(paths: AccountPaths, request: ApiRequest, forms: FormNames): SeeOther {
  if (isRead(request)) return seeOther(signInFor(paths, request.originalUrl));
  const [, name] = forms.find(([pattern]) => pattern.test(request.path)) ?? [];
  const form = name === undefined ? 'your form' : `the form “${name}”`;
  return seeOther(signInFor(paths, pageOfForm(request)), {
    kind: 'warn',
    text:
      `Your session has ended, so ${form} was not sent. Nothing was changed. ` +
      'Sign in, then send it again.',
  });
}

/** The page that showed the form. A page that answered a form cannot always be opened again. */
function pageOfForm({ app, headers: { referer } }: ApiRequest): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return allowedMethods(app, pathname).includes('GET') ? pathname + search : undefined;
}

/** The maximum length of an address to return to. No page has a longer one. */
const MAX_NEXT_LENGTH = 2_000;

function signInFor({ signIn }: AccountPaths, path: string | undefined): string {
  return withQuery(signIn, { next: path !== undefined && path.length > MAX_NEXT_LENGTH ? undefined : path });
}
