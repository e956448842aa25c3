/** What is said once at the top of a page: mostly that something was done. */
export interface NoticeContent {
  kind: 'accent' | 'warn' | 'bad' | 'info';
  text: string;
}
