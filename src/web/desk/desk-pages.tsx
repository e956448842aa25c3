import { applyDecorators, Controller } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { NarrowShell, Shell } from '../../shared/ui/components/shell.js';
import { firmOf } from '../../shared/ui/firm-of.js';
import type { Frame, Link } from '../../shared/ui/page.js';
import { PagesIn } from '../../shared/ui/pages-in.decorator.js';
import { AtDesk } from '../../platform/access/access-rule.js';
import { roleBelow, roleToOpen } from '../../platform/access/desk-permissions.js';
import { type DeskPerson, hasRole } from '../../platform/access/signed-in-person.js';
import { DESK } from '../account/account-paths.js';
import { redirectForError, signedInPersonOf } from '../account/error-redirect.js';
import { PageRequest } from '../account/page-request.js';
import { MENU, NAVIGATION, SEARCH, TODAY } from './paths.js';

/**
 * A controller of pages below /desk. `desk-permissions.ts` has the role of each route; a route that it lacks
 * stops the start. Routes of a base class have the role of all pages below the path, or are `@Open()`.
 */
export function DeskPages(path = ''): ClassDecorator {
  return (controller) => {
    for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(controller.prototype))) {
      const route: unknown = method.value && Reflect.getMetadata(PATH_METADATA, method.value as object);
      if (route === undefined) continue;
      const address = `${path}/${route as string}`.split('/').filter(Boolean).join('/');
      AtDesk(roleToOpen(address))(controller.prototype as object, name, method);
    }
    applyDecorators(
      AtDesk(roleBelow(path) ?? 'admin'),
      Controller(`desk/${path}`),
      PagesIn(deskFrame),
    )(controller);
  };
}

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
    const shared = { firm, page, notice };
    if (!person) return <NarrowShell {...shared} brand={firm.name === '' ? 'Wholesale desk' : 'Desk'} />;
    const mayOpen = ({ href }: Link) => hasRole(person, roleToOpen(href.slice(TODAY.length + 1)));
    return (
      <Shell
        {...shared}
        brand={{ href: TODAY, text: 'Desk' }}
        path={request.path}
        navigation={NAVIGATION.filter(mayOpen)}
        search={{
          action: SEARCH,
          label: 'Search all orders, goods and clients',
          value: request.path === SEARCH ? request.query.q : undefined,
        }}
        menu={{ name: person.name, items: MENU.filter(mayOpen), signOut: DESK.signOut }}
      />
    );
  },
};
