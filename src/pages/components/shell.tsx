import type { NoticeContent } from '../notice-content.js';
import type { Page } from '../page.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';

export interface NavigationItem {
  href: string;
  text: string;
}

interface Props {
  /** Whose door it is. */
  brand: NavigationItem;
  /** The address of the page, without its query. */
  path: string;
  navigation: readonly NavigationItem[];
  /** Under the name of whoever is in. */
  menu: { name: string; items: readonly NavigationItem[]; signOut: string };
  page: Page;
  notice: NoticeContent | undefined;
}

/** The body of a page with everything that one can go to from it. */
export const Shell = ({ brand, path, navigation, menu, page, notice }: Props) => (
  <body>
    <SkipLink />
    <header class="bar">
      <a class="brand" href={brand.href}>
        {brand.text}
      </a>
      <nav class="navigation" aria-label="Main">
        {navigation.map((item) => (
          <a href={item.href} aria-current={currentOf(item, path, brand)}>
            {item.text}
          </a>
        ))}
      </nav>
      <details class="menu">
        <summary>
          {menu.name}
          <Icon name="down" />
        </summary>
        <div class="menu-items">
          {menu.items.map((item) => (
            <a href={item.href} aria-current={currentOf(item, path, brand)}>
              {item.text}
            </a>
          ))}
          <form method="post" action={menu.signOut}>
            <button>Sign out</button>
          </form>
        </div>
      </details>
    </header>
    <main id="content" tabIndex={-1}>
      <Notices notice={notice} />
      <PageHead page={page} />
      {page.content}
    </main>
  </body>
);

/** The body of a page of which nobody goes anywhere else: signing in, the end of a payment. */
export const NarrowShell = ({ brand, page, notice }: Pick<Props, 'page' | 'notice'> & { brand: string }) => (
  <body class="narrow">
    <SkipLink />
    <main id="content" tabIndex={-1}>
      <p class="brand">{brand}</p>
      <Notices notice={notice} />
      <div class="card narrow-card">
        <PageHead page={page} />
        {page.content}
      </div>
    </main>
  </body>
);

const SkipLink = () => (
  <a class="skip" href="#content">
    Skip to the content
  </a>
);

/** A script has it read out: what stands in a live region from the beginning is not. */
const Notices = ({ notice }: Pick<Props, 'notice'>) =>
  notice === undefined ? null : (
    <div class="notices" role="status">
      <Notice kind={notice.kind}>{notice.text}</Notice>
    </div>
  );

const PageHead = ({ page: { title, lead, back, actions } }: Pick<Props, 'page'>) => (
  <div class="page-head">
    <div>
      {back && (
        <a class="back" href={back.href}>
          <Icon name="left" />
          {back.text}
        </a>
      )}
      <h1>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </div>
);

/** The page itself, or the part of the door that it belongs to. The first page is no part: everything else is below its address. */
function currentOf(
  { href }: NavigationItem,
  path: string,
  home: NavigationItem,
): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  return href !== home.href && path.startsWith(`${href}/`) ? 'true' : undefined;
}
