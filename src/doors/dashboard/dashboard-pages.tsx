import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ClientPerson } from '../../auth/people/signed-in-person.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { TaxDocumentsService } from '../../invoices/tax-documents.service.js';
import { NOTICES_PATH } from '../../notices/notices-job.service.js';
import { NarrowShell, Shell } from '../../pages/components/shell.js';
import { type Frame, type Link, type SeeOther, seeOther, withQuery } from '../../pages/page.js';
import { PagesIn } from '../../pages/pages-in.decorator.js';
import { SignedIn } from '../../platform/access/access-rule.js';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { allowedMethods } from '../../platform/http/allowed-methods.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { TakesForm } from '../../platform/http/bodies.js';
import { HELP, HOME as HOME_PATH, INVOICES, SIGN_IN } from './paths.js';

/** Requests of people who see documents of the tax law. */
const withInvoices = new WeakSet<object>();

@Injectable()
class InvoicesLink implements NestInterceptor {
  constructor(
    private readonly documents: TaxDocumentsService,
    private readonly sellers: SellersService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (request.person && (await this.areShownTo(request.person.clientId))) withInvoices.add(request);
    return next.handle();
  }

  /** A client may have documents of a time when tax was on. */
  private async areShownTo(clientId: number): Promise<boolean> {
    return (await this.sellers.isTaxOn()) || (await this.documents.firstDay(clientId)) !== null;
  }
}

/** A controller of pages below /dashboard that need a session. A public page adds `@Open()` itself. */
export function DashboardPages(path = ''): ClassDecorator {
  return applyDecorators(
    Controller(`dashboard/${path}`),
    SignedIn(),
    PagesIn(dashboardFrame),
    UseInterceptors(InvoicesLink),
  );
}

/** A route that a form with fields is posted to. */
export function PostForm(path = ''): MethodDecorator {
  return applyDecorators(Post(path), TakesForm());
}

const HOME: Link = { href: HOME_PATH, text: 'Home' };

const NAVIGATION: readonly Link[] = [
  HOME,
  { href: '/dashboard/orders', text: 'Orders' },
  { href: '/dashboard/wallet', text: 'Wallet' },
  { href: INVOICES, text: 'Invoices' },
  { href: '/dashboard/api-access', text: 'API access' },
  { href: '/dashboard/requests', text: 'Requests' },
  { href: '/dashboard/catalog', text: 'Catalog' },
];

const MENU: readonly Link[] = [
  { href: '/dashboard/plan', text: 'Plan' },
  { href: '/dashboard/people', text: 'People' },
  { href: NOTICES_PATH, text: 'Notices' },
  { href: '/dashboard/security', text: 'Security' },
  { href: HELP, text: 'Help' },
];

/** The frame around every page. A visitor without a session gets no navigation. */
export const dashboardFrame: Frame = {
  name: 'Dashboard',
  home: { href: HOME.href, text: 'Back to the dashboard' },
  answerTo: ({ code }: DomainError, request) => (code === 'session_missing' ? toSignIn(request) : undefined),
  timeZone: (request) => personOf(request)?.timeZone,
  surround: (page, request, notice) => {
    const person = personOf(request);
    if (!person) return <NarrowShell brand="Wholesale" page={page} notice={notice} />;
    return (
      <Shell
        brand={{ href: HOME.href, text: person.clientName }}
        path={request.path}
        navigation={NAVIGATION.filter(({ href }) => href !== INVOICES || withInvoices.has(request))}
        menu={{ name: person.name, items: MENU, signOut: '/dashboard/sign-out' }}
        page={page}
        notice={notice}
      />
    );
  },
};

function personOf({ person }: ApiRequest): ClientPerson | undefined {
  return person as ClientPerson | undefined;
}

/** Sign-in leads back to the page. A form is not sent again: the person decides that on its page. */
function toSignIn(request: ApiRequest): SeeOther {
  const { method, originalUrl, path } = request;
  if (method === 'GET' || method === 'HEAD') return seeOther(signInFor(originalUrl));
  const [, name] = FORMS.find(([pattern]) => pattern.test(path)) ?? [];
  const form = name === undefined ? 'your form' : `the form “${name}”`;
  return seeOther(signInFor(pageOfForm(request)), {
    kind: 'warn',
    text:
      `Your session has ended, so ${form} was not sent. Nothing was changed. ` +
      'Sign in, then send it again.',
  });
}

/** The names of the forms by their addresses. */
const FORMS: readonly [RegExp, string][] = [
  [/\/pay$/, 'Pay orders'],
  [/\/payments\/[^/]+\/give-up$/, 'Give up'],
  [/\/orders\/[^/]+\/cancel$/, 'Cancel the order'],
  [/\/orders\/[^/]+\/delivery$/, 'Delivery'],
  [/\/wallet\/top-up$/, 'Top up'],
  [/\/wallet\/transfers/, 'Bank transfer'],
  [/\/wallet\/auto-pay$/, 'Auto-pay'],
  [/\/plan\/billing$/, 'Billing details'],
  [/\/notices/, 'Notices'],
  [/\/api-access\//, 'API token'],
  [/\/people\/invite$/, 'Invite'],
  [/\/people\//, 'Person'],
  [/\/security\/password$/, 'Change your password'],
  [/\/security\/sessions/, 'End a session'],
  [/\/security\/two-factor/, 'Second step'],
];

/** The page that showed the form. A page that answered a form cannot always be opened again. */
function pageOfForm({ app, headers: { referer } }: ApiRequest): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return allowedMethods(app, pathname).includes('GET') ? pathname + search : undefined;
}

/** No page of the dashboard has a longer address. */
const LONGEST_NEXT = 2_000;

function signInFor(path: string | undefined): string {
  return withQuery(SIGN_IN, { next: path !== undefined && path.length > LONGEST_NEXT ? undefined : path });
}
