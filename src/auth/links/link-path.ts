/**
 * Where links lead. What lets in stands behind a `#`: browsers send that to nobody, so it is in no log, ours or a proxy's, and in no `Referer`.
 */
export const LINK_PATH = '/dashboard/link';

/** Where one asks for a link. */
export const RESET_PATH = '/dashboard/reset';
