import { OpenShell } from '../../../pages/components/shell.js';
import type { Frame, Link } from '../../../pages/page.js';
import { DASHBOARD } from '../../account/account-paths.js';

export const GUIDE = '/docs/guide';

const NAVIGATION: readonly Link[] = [
  { href: GUIDE, text: 'Guide' },
  { href: '/docs', text: 'Reference' },
  { href: DASHBOARD.home, text: 'Dashboard' },
];

export const guideFrame: Frame = {
  name: 'Wholesale Order API',
  home: { href: GUIDE, text: 'To the guide' },
  surround: (page, { path }) => (
    <OpenShell
      brand={{ href: GUIDE, text: 'Wholesale Order API' }}
      path={path}
      navigation={NAVIGATION}
      page={page}
    />
  ),
};
