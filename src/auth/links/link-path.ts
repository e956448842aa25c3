/**
 * Where links lead. What lets in stands behind a `#`: browsers send that to nobody, so it is in no log, ours or a proxy's, and in no `Referer`.
 */
export const LINK_PATH = '/dashboard/link';
