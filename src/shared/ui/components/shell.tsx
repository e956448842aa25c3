import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Link, NoticeContent, Page } from '../page.js';
import type { Firm } from '../../../platform/settings/firm.js';
import { offsetName } from '../../../platform/time/time.js';
import { Icon, Notice } from './layout.js';
import { ExactTime, PageZone } from './values.js';

interface ShellProps {
  firm: Firm;
  /** The name of the area, with its home page. */
  brand: Link;
  /** The address of the page, without its query. */
  path: string;
  navigation: readonly Link[];
  search?: { action: string; label: string; value: unknown };
  menu: { name: string; items: readonly Link[]; signOut: string };
  page: Page;
  notice: NoticeContent | undefined;
  /** Stands above every page. */
  banner?: ComponentChildren;
}

export const Shell = ({ firm, brand, path, navigation, search, menu, page, notice, banner }: ShellProps) => {
  const links = [...navigation, ...menu.items];
  // A page outside the navigation highlights the section of its back link.
  const [section] = (page.back?.href ?? path).split('?');
  const currentPath = links.some((item) => ariaCurrentOf(item, path, brand)) ? path : `${section}/`;
  const renderLink = (item: Link) => (
    <a href={item.href} aria-current={ariaCurrentOf(item, currentPath, brand)}>
      {item.text}
    </a>
  );
  return (
    <body>
      <SkipLinks page={page} />
      <header class="bar">
        <a class="brand" href={brand.href}>
          <BrandName firm={firm} area={brand.text} />
        </a>
        <nav class="navigation" aria-label="Main">
          {navigation.map(renderLink)}
        </nav>
        {search && (
          <form class="find" role="search" aria-label="All pages" action={search.action}>
            <input
              type="search"
              name="q"
              aria-label={search.label}
              placeholder="Search"
              value={typeof search.value === 'string' ? search.value : undefined}
              maxLength={100}
            />
          </form>
        )}
        <details class="menu">
          <summary>
            <span class="menu-name">{menu.name}</span>
            <Icon name="down" />
          </summary>
          <div class="menu-items">
            {menu.items.map(renderLink)}
            <form method="post" action={menu.signOut}>
              <button>Sign out</button>
            </form>
          </div>
        </details>
      </header>
      <main id="content" tabIndex={-1}>
        <p class="paper">
          {firm.name !== '' && `${firm.name}, `}
          {brand.text}, <ExactTime at={new Date()} />
        </p>
        {banner}
        <Notices notice={notice} />
        <PageHead page={page} />
        <Refusal text={page.refusal} />
        {page.content}
      </main>
      <ZoneNote />
    </body>
  );
};

export const PublicShell = ({
  firm,
  brand,
  path,
  navigation,
  page,
}: Omit<ShellProps, 'menu' | 'notice' | 'banner'>) => (
  <body>
    <SkipLinks page={page} />
    <header class="bar">
      <a class="brand" href={brand.href}>
        <BrandName firm={firm} area={brand.text} />
      </a>
      <nav class="navigation" aria-label="Main">
        {navigation.map(({ href, text }) => (
          <a href={href} aria-current={href === path ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
    </header>
    <main id="content" tabIndex={-1}>
      <PageHead page={page} />
      {page.content}
    </main>
  </body>
);

/** Without the name of a firm, the name of the area stands alone. */
const BrandName = ({ firm: { name, logo }, area }: { firm: Firm; area: string }) => (
  <>
    {logo !== null && <img src={logo} alt="" />}
    <span class="brand-names">
      {name !== '' && <span>{name}</span>}
      {name === '' ? <span>{area}</span> : <small>{area}</small>}
    </span>
  </>
);

const ZoneNote = () => {
  const zone = useContext(PageZone);
  return (
    <footer class="zone small">
      Times are in {zone} ({offsetName(Date.now(), zone)}).
    </footer>
  );
};

/** The body of a page without navigation, such as sign-in. */
export const NarrowShell = ({
  firm,
  brand,
  page,
  notice,
}: Pick<ShellProps, 'page' | 'notice'> & { firm?: Firm; brand: string }) => (
  <body class="narrow">
    <SkipLinks page={page} />
    <main id="content" tabIndex={-1}>
      <p class="brand">{firm ? <BrandName firm={firm} area={brand} /> : brand}</p>
      <Notices notice={notice} />
      <div class="card narrow-card">
        <PageHead page={page} />
        <Refusal text={page.refusal} />
        {page.content}
      </div>
    </main>
  </body>
);

const SkipLinks = ({ page: { skipTo } }: Pick<ShellProps, 'page'>) => (
  <>
    <a class="skip" href="#content">
      Skip to the content
    </a>
    {skipTo && (
      <a class="skip" href={skipTo.href}>
        {skipTo.text}
      </a>
    )}
  </>
);

/** `announce.js` inserts the text again: screen readers skip a live region's initial content. */
const Notices = ({ notice }: Pick<ShellProps, 'notice'>) =>
  notice === undefined ? null : (
    <div class="notices" role="status">
      <Notice kind={notice.kind}>{notice.text}</Notice>
    </div>
  );

const Refusal = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <div role="alert">
      <Notice kind="bad">{text}</Notice>
    </div>
  );

/** The actions come before the lead, whose links would delay the keyboard. */
const PageHead = ({ page: { title, lead, back, actions } }: Pick<ShellProps, 'page'>) => (
  <div class="page-head">
    <div>
      {back && (
        <a class="back" href={back.href}>
          <Icon name="left" />
          {back.text}
        </a>
      )}
      <h1>
        <UnbrokenNumbers text={title} />
      </h1>
    </div>
    {actions && <div class="actions">{actions}</div>}
    {lead && <p class="lead">{lead}</p>}
  </div>
);

/** A number such as WO-20261120-7K3M9-QXA2B does not wrap. */
const UnbrokenNumbers = ({ text }: { text: string }) => (
  <>
    {text
      .split(/(\s+)/)
      .map((part) => (part.split('-').length > 2 ? <span class="whole">{part}</span> : part))}
  </>
);

/** 'page' for the page itself, 'true' for its section. Home is no section: all paths begin with it. */
function ariaCurrentOf({ href }: Link, path: string, home: Link): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  return href !== home.href && path.startsWith(`${href}/`) ? 'true' : undefined;
}
