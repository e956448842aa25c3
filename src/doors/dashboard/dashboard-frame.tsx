import type { ApiRequest } from '../../platform/http/api-request.js';
import { NarrowShell, type NavigationItem, Shell } from '../../pages/components/shell.js';
import type { Frame } from '../../pages/frame.js';

/** Who is in, as far as the frame shows it. */
interface Visitor {
  clientName: string;
  personName: string;
}

const HOME: NavigationItem = { href: '/dashboard', text: 'Home' };

const NAVIGATION: readonly NavigationItem[] = [
  HOME,
  { href: '/dashboard/orders', text: 'Orders' },
  { href: '/dashboard/wallet', text: 'Wallet' },
  { href: '/dashboard/api-access', text: 'API access' },
  { href: '/dashboard/requests', text: 'Requests' },
  { href: '/dashboard/catalog', text: 'Catalog' },
];

const MENU: readonly NavigationItem[] = [
  { href: '/dashboard/plan', text: 'Plan' },
  { href: '/dashboard/people', text: 'People' },
  { href: '/dashboard/security', text: 'Security' },
];

/** What stands around every page of the dashboard. Who is not signed in sees only what they came for. */
export const dashboardFrame: Frame = {
  name: 'Dashboard',
  home: { href: HOME.href, text: 'Back to the dashboard' },
  surround: (page, request, notice) => {
    const visitor = visitorOf(request);
    if (!visitor) return <NarrowShell brand="Wholesale" page={page} notice={notice} />;
    return (
      <Shell
        brand={{ href: HOME.href, text: visitor.clientName }}
        path={request.path}
        navigation={NAVIGATION}
        menu={{ name: visitor.personName, items: MENU, signOut: '/dashboard/sign-out' }}
        page={page}
        notice={notice}
      />
    );
  },
};

function visitorOf(_request: ApiRequest): Visitor | undefined {
  return undefined;
}
