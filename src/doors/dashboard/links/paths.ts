import { LINK_PATH, RESET_PATH } from '../../../auth/links/link-mail.js';

export const LINK = LINK_PATH;
export const CHOOSE = `${LINK}/password`;
export const RESET = RESET_PATH;
