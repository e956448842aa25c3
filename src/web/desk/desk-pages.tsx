import { applyDecorators, Controller } from '@nestjs/common';
import { NarrowShell, Shell } from '../../shared/ui/components/shell.js';
import type { Frame } from '../../shared/ui/page.js';
import { PagesIn } from '../../shared/ui/pages-in.decorator.js';
import { AtDesk, type DeskRole } from '../../platform/access/access-rule.js';
import { type DeskPerson, hasRole } from '../../platform/access/signed-in-person.js';
import { DESK } from '../account/account-paths.js';
import { ownDoor, personBehind } from '../account/error-redirect.js';
import { Visit as AnyVisit } from '../account/page-request.js';
import { MENU, NAVIGATION, type Place, SEARCH, TODAY } from './paths.js';

/**
 * A controller of pages below /desk for people with this role, by default for admins. A route may name
 * another role with `@For()`. A public page adds `@Open()` itself.
 */
export function DeskPages(path = '', role: DeskRole = 'admin'): ClassDecorator {
  return applyDecorators(AtDesk(role), Controller(`desk/${path}`), PagesIn(deskFrame));
}

/** A route for another role than the role of the class. */
export const For = (role: DeskRole) => AtDesk(role);

export type Visit<Part extends string = never> = AnyVisit<Part, DeskPerson>;
export const Visit = AnyVisit;

/** The frame around every page. A visitor without a session gets no navigation. */
export const deskFrame: Frame = {
  name: 'Desk',
  home: { href: TODAY, text: 'Back to the desk' },
  answerTo: (error, request) => ownDoor(DESK, error, request),
  timeZone: (request) => personBehind(DESK, request)?.timeZone,
  surround: (page, request, notice) => {
    const person = personBehind(DESK, request);
    if (!person) return <NarrowShell brand="Wholesale desk" page={page} notice={notice} />;
    const mayOpen = ({ role }: Place) => hasRole(person, role);
    return (
      <Shell
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
