import { Card, Empty } from '../../../pages/components/layout.js';
import type { Page } from '../../../pages/page.js';

/** Where the settings say so. */
export function nothingKeptPage(): Page {
  return {
    title: 'Calls are not kept',
    content: (
      <Card>
        <Empty>
          <p>
            The wholesaler keeps nothing of what your store’s calls did. Each answer tells what was wrong.
          </p>
        </Empty>
      </Card>
    ),
  };
}
