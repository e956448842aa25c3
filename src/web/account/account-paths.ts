import { HOME_PATHS } from '../../modules/people/person-mail.service.js';
import { isOwnPath } from '../../shared/ui/page.js';

/** The addresses of a person's own pages. The dashboard and the desk both have them. */
export function accountPaths(home: string) {
  const security = `${home}/security`;
  const people = `${home}/people`;
  return {
    home,
    signIn: `${home}/sign-in`,
    code: `${home}/sign-in/code`,
    signOut: `${home}/sign-out`,
    link: `${home}/link`,
    choose: `${home}/link/password`,
    reset: `${home}/reset`,
    security,
    password: `${security}/password`,
    sessions: `${security}/sessions`,
    twoFactor: `${security}/two-factor`,
    notices: `${home}/notices`,
    people,
    invite: `${people}/invite`,
    person: (personId: number) => `${people}/${personId}`,
  };
}

export type AccountPaths = ReturnType<typeof accountPaths>;

export const DASHBOARD = accountPaths(HOME_PATHS.client);
export const DESK = accountPaths(HOME_PATHS.wholesaler);

/** Leads a person of the wholesaler back from a client's pages. */
export const STOP_VIEWING_AS_CLIENT = `${DESK.home}/clients/stop-seeing`;

/** The page to continue on. Stays within `home`, because anyone can make a link with another address. */
export function nextPath(home: string, requested: unknown, usual = home): string {
  if (!isOwnPath(requested)) return usual;
  // Parses the path as a browser does: dots may lead outside `home`.
  const { pathname, search } = new URL(requested, 'http://own');
  return pathname === home || pathname.startsWith(`${home}/`) ? pathname + search : usual;
}
