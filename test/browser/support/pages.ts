import type { Shop } from './shop.js';

/** A page as it is looked at: by whom, and where it is. */
interface PageSeen {
  signedIn: boolean;
  path(shop: Shop): string;
}

const open = (path: string): PageSeen => ({ signedIn: false, path: () => path });
const page = (path: string | PageSeen['path']): PageSeen => ({
  signedIn: true,
  path: typeof path === 'string' ? () => path : path,
});

/** All that the dashboard has, by the names of their pictures. */
export const PAGES = {
  'sign-in': open('/dashboard/sign-in'),
  link: open('/dashboard/link'),
  'no-reset': open('/dashboard/reset'),
  people: page('/dashboard/people'),
  'people-invite': page('/dashboard/people/invite'),
  person: page(({ buyer }) => `/dashboard/people/${buyer}`),
  unknown: page('/dashboard/nowhere'),
  'api-access': page('/dashboard/api-access'),
  'api-access-new': page('/dashboard/api-access/new'),
  'api-access-token': page(({ store }) => `/dashboard/api-access/${store.tokenId}`),
  'api-access-revoke': page(({ store }) => `/dashboard/api-access/${store.tokenId}/revoke`),
  requests: page('/dashboard/requests'),
  'requests-of-days': page('/dashboard/requests?span=all&outcome=failed'),
  'requests-none': page('/dashboard/requests?request_id=nobodys'),
  request: page(({ refusedRequest }) => `/dashboard/requests/${refusedRequest}`),
  security: page('/dashboard/security'),
  'security-password': page('/dashboard/security/password'),
  'security-second-step': page('/dashboard/security/two-factor'),
} satisfies Record<string, PageSeen>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
