import { Notice } from '../pages/components/notice.js';

/** Wherever payments are offered with which no money moves. */
export const TestPayments = () => <Notice kind="warn">Test payments: no money moves.</Notice>;
