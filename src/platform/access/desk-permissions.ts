import type { DeskRole } from './access-rule.js';

/** In one sentence, for pages and mails. */
export const DESK_WORK: Readonly<Record<DeskRole, string>> = {
  packer: 'packs and ships orders, receives returns and goods, and counts stock',
  staff: 'keeps orders, catalog, stock and prices, and confirms transfers',
  admin: 'does everything, and manages tokens, plans, wallets and people',
};

/**
 * What the wholesaler's people may do and see. Each role includes the ones before it. A permission opens the
 * pages at its addresses below /desk (`**`: all that no other line names), and the parts of shared pages that
 * ask for it. An action on an order names its role in its own file, in `src/modules/orders/actions/`.
 */
const PERMISSIONS = {
  packer: {
    // Today: the orders and parcels that wait. The search: orders, returns and products.
    'use the desk': ['', 'search', 'notices/**', 'security/**'],
    // With client, customer, goods, parcels and notes. Lists have paid orders that are not finished.
    'see paid orders': ['orders', 'orders/:number', 'orders/:number/:action', 'notes/**'],
    'pack orders': ['packing/**'],
    'receive returns': ['returns/**'],
    // Shelf, numbers and movements of each product.
    'count stock': ['goods', 'goods/products/:sku/stock'],
    'record e-way bills': ['e-way-bills/:number/**'],
    'import shipments, deliveries and e-way bills': ['imports/**'],
  },
  staff: {
    // Prices, totals, payments, refunds and documents, also on pages that packers see.
    'see amounts': [],
    // Unpaid and finished ones too, with their movements of stock.
    'see all orders': ['orders/orders.csv'],
    // On Today: sales, money, refused orders, low stock and failed imports.
    'see sales and problems': ['reports/**'],
    'take back invoices': [],
    'ask for returns': [],
    'decide about refunds': ['returns/:number/refund'],
    'see clients': ['clients', 'clients/:id', 'clients/:id/wallet', 'clients/:id/tokens'],
    'see requests of stores': ['clients/:id/requests/**'],
    'see as a client': ['clients/:id/see', 'clients/stop-seeing'],
    'order for clients': ['clients/:id/order'],
    'set tax data of clients': ['clients/:id/tax'],
    'keep goods and prices': ['goods/**'],
    'import all files': [],
    'send e-way bills': ['e-way-bills', 'e-way-bills/file.json'],
    'keep payments and books': ['money/**'],
  },
  admin: {
    'manage clients': ['clients/**'],
    'manage tokens': ['clients/:id/tokens/**', 'clients/:id/domains/**'],
    'correct wallets': ['clients/:id/wallet/**'],
    'send money back': ['money/payments/:id/refund'],
    'close the books': ['money/month/filed', 'settings/ledgers'],
    'manage plans': ['goods/new-plan', 'goods/plans/:code'],
    'manage people': ['people/**', 'clients/:id/people/**'],
    // On Today: the first steps, and jobs and mails that failed.
    'change settings': ['settings/**'],
    'read the audit log': ['audit'],
  },
} satisfies Record<DeskRole, Record<string, readonly string[]>>;

export type Permission = { [Role in DeskRole]: keyof (typeof PERMISSIONS)[Role] }[DeskRole];

/** By permission, and by address. */
const LOWEST_ROLES = new Map<string, DeskRole>();
for (const [role, permissions] of Object.entries(PERMISSIONS))
  for (const [permission, addresses] of Object.entries(permissions))
    for (const key of [permission, ...addresses]) LOWEST_ROLES.set(key, role as DeskRole);

/** The lowest role with this permission. */
export const roleWith = (permission: Permission): DeskRole => LOWEST_ROLES.get(permission)!;

/** The lowest role for pages below an address that have no line of their own. */
export const roleBelow = (address: string): DeskRole | undefined =>
  LOWEST_ROLES.get(`${address}/**`) ??
  (address === '' ? undefined : roleBelow(address.split('/').slice(0, -1).join('/')));

export function roleToOpen(address: string): DeskRole {
  const role = LOWEST_ROLES.get(address) ?? roleBelow(address);
  if (!role) throw new Error(`desk-permissions.ts names no role for /desk/${address}.`);
  return role;
}
