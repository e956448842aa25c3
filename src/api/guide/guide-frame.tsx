import { PublicShell } from '../../shared/ui/components/shell.js';
import { firmOf } from '../../shared/ui/firm-of.js';
import type { Frame, Link } from '../../shared/ui/page.js';
import { DASHBOARD } from '../../web/account/account-paths.js';
import { GUIDE } from '../../web/dashboard/paths.js';

const NAVIGATION: readonly Link[] = [
  { href: GUIDE, text: 'Guide' },
  { href: '/docs', text: 'Reference' },
  { href: DASHBOARD.home, text: 'Dashboard' },
];

export const guideFrame: Frame = {
  name: 'Wholesale Order API',
  home: { href: GUIDE, text: 'To the guide' },
  renderBody: (page, request) => (
    <PublicShell
      firm={firmOf(request)}
      brand={{ href: GUIDE, text: 'Wholesale Order API' }}
      path={request.path}
      navigation={NAVIGATION}
      page={page}
    />
  ),
};
