import { applyDecorators, Controller } from '@nestjs/common';
import { NarrowShell, Shell } from '../../shared/ui/components/shell.js';
import { firmOf } from '../../shared/ui/firm-of.js';
import type { Frame } from '../../shared/ui/page.js';
import { PagesIn } from '../../shared/ui/pages-in.decorator.js';
import { AtDesk, type DeskRole } from '../../platform/access/access-rule.js';
import { type DeskPerson, hasRole } from '../../platform/access/signed-in-person.js';
import { DESK } from '../account/account-paths.js';
import { redirectForError, signedInPersonOf } from '../account/error-redirect.js';
import { PageRequest } from '../account/page-request.js';
import { MENU, NAVIGATION, type NavigationItem, SEARCH, TODAY } from './paths.js';

/**
 * A controller of pages below /desk for people with this role, by default for admins. A route may name
 * another role with `@For()`. A public page adds `@Open()` itself.
 */
export function DeskPages(path = '', role: DeskRole = 'admin'): ClassDecorator {
  return applyDecorators(AtDesk(role), Controller(`desk/${path}`), PagesIn(deskFrame));
}

/** A route for another role than the role of the class. */
export const ForRole = (role: DeskRole) => AtDesk(role);

export type DeskPageRequest<Part extends string = never> = PageRequest<Part, DeskPerson>;
export const DeskPageRequest = PageRequest;

/** The frame around every page. A visitor without a session gets no navigation. */
export const deskFrame: Frame = {
  name: 'Desk',
  home: { href: TODAY, text: 'Back to the desk' },
  pageForError: (error, request) => redirectForError(DESK, error, request),
  timeZone: (request) => signedInPersonOf(DESK, request)?.timeZone,
  renderBody: (page, request, notice) => {
    const person = signedInPersonOf(DESK, request);
    // Navigation and search leave no room for a logo.
    const firm = { ...firmOf(request), logo: null };
    if (!person)
      return (
        <NarrowShell
          firm={firm}
          brand={firm.name === '' ? 'Wholesale desk' : 'Desk'}
          page={page}
          notice={notice}
        />
      );
    const mayOpen = ({ role }: NavigationItem) => hasRole(person, role);
    return (
      <Shell
        firm={firm}
        brand={{ href: TODAY, text: 'Desk' }}
        path={request.path}
        navigation={NAVIGATION.filter(mayOpen)}
        search={{
          action: SEARCH,
          label: 'Search all orders, goods and clients',
          value: request.path === SEARCH ? request.query.q : undefined,
        }}
        menu={{ name: person.name, items: MENU.filter(mayOpen), signOut: DESK.signOut }}
        page={page}
        notice={notice}
      />
    );
  },
};
