import { isOwnPath } from '../../../pages/addresses.js';
import type { FormFields } from '../../../platform/http/parse-form.js';

const HOME = '/dashboard';
const WITHIN = /^\/dashboard(\/|$)/;

/** Where one goes who has signed in: a page of the dashboard, whatever the address says that brought them here. */
export function nextPath(asked: unknown): string {
  if (!isOwnPath(asked)) return HOME;
  // As the browser will read it: dots may lead out of here.
  const { pathname, search } = new URL(asked, 'http://own');
  return WITHIN.test(pathname) ? pathname + search : HOME;
}

/** Likewise, as the address of the sign-in says it. */
export function nextIn({ next }: FormFields): string {
  return nextPath(next);
}
