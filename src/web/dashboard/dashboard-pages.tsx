import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { SellersService } from '../../modules/invoices/sellers.service.js';
import { TaxDocumentsService } from '../../modules/invoices/tax-documents.service.js';
import { Button, Form } from '../../shared/ui/components/controls.js';
import { Notice } from '../../shared/ui/components/layout.js';
import { NarrowShell, Shell } from '../../shared/ui/components/shell.js';
import { ExactTime } from '../../shared/ui/components/values.js';
import { firmOf } from '../../shared/ui/firm-of.js';
import type { Frame } from '../../shared/ui/page.js';
import { PagesIn } from '../../shared/ui/pages-in.decorator.js';
import { SignedIn } from '../../platform/access/access-rule.js';
import type { ClientPerson, SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { DASHBOARD, DESK, STOP_VIEWING_AS_CLIENT } from '../account/account-paths.js';
import { type FormNames, redirectForError, signedInPersonOf } from '../account/error-redirect.js';
import { PageRequest } from '../account/page-request.js';
import { HOME, INVOICES, MENU, NAVIGATION } from './paths.js';

interface DashboardRequest extends ApiRequest {
  /** The navigation has the link to invoices. */
  hasInvoices?: boolean;
}

@Injectable()
class InvoicesLinkInterceptor implements NestInterceptor {
  constructor(
    private readonly documents: TaxDocumentsService,
    private readonly sellers: SellersService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const clientId = request.person?.clientId;
    request.hasInvoices = typeof clientId === 'number' && (await this.areVisibleTo(clientId));
    return next.handle();
  }

  /** A client may have documents from a time when tax was on. */
  private async areVisibleTo(clientId: number): Promise<boolean> {
    return (await this.sellers.isTaxOn()) || (await this.documents.firstDay(clientId)) !== null;
  }
}

/** A controller of pages below /dashboard that need a session. A public page adds `@Open()` itself. */
export function DashboardPages(path = '', inPerson?: 'in person'): ClassDecorator {
  return applyDecorators(
    Controller(`dashboard/${path}`),
    SignedIn(inPerson),
    PagesIn(dashboardFrame),
    UseInterceptors(InvoicesLinkInterceptor),
  );
}

export type ClientPageRequest<Part extends string = never> = PageRequest<Part, ClientPerson>;
export const ClientPageRequest = PageRequest;

/** Pages that the wholesaler's people cannot open while they view as a client. */
const IN_PERSON_PATHS: ReadonlySet<string> = new Set([
  DASHBOARD.people,
  DASHBOARD.notices,
  DASHBOARD.security,
]);

const ViewingAsClientNotice = ({ clientName, seesUntil }: SignedInPerson) => (
  <Notice kind="warn">
    <Form action={STOP_VIEWING_AS_CLIENT} bare>
      <div class="actions">
        <span>
          You see this as {clientName} sees it, until <ExactTime at={seesUntil!} />. Nothing can be changed or
          paid.
        </span>
        <Button>Back to the desk</Button>
      </div>
    </Form>
  </Notice>
);

/** The frame around every page. A visitor without a session gets no navigation. */
export const dashboardFrame: Frame = {
  name: 'Dashboard',
  home: { href: HOME, text: 'Back to the dashboard' },
  pageForError: (error, request) => redirectForError(DASHBOARD, error, request, FORM_NAMES),
  timeZone: (request) => signedInPersonOf(DASHBOARD, request)?.timeZone,
  renderBody: (page, request: DashboardRequest, notice) => {
    const person = signedInPersonOf(DASHBOARD, request);
    const firm = firmOf(request);
    const shared = { firm, page, notice };
    if (!person) return <NarrowShell {...shared} brand={firm.name === '' ? 'Wholesale' : 'Dashboard'} />;
    const isViewing = person.seesUntil !== undefined;
    return (
      <Shell
        {...shared}
        brand={{ href: HOME, text: person.clientName }}
        path={request.path}
        navigation={NAVIGATION.filter(({ href }) => href !== INVOICES || request.hasInvoices)}
        menu={{
          name: person.name,
          items: isViewing ? MENU.filter(({ href }) => !IN_PERSON_PATHS.has(href)) : MENU,
          signOut: (isViewing ? DESK : DASHBOARD).signOut,
        }}
        banner={isViewing && <ViewingAsClientNotice {...person} />}
      />
    );
  },
};

const FORM_NAMES: FormNames = [
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
];
