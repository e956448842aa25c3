import type { ComponentChildren } from 'preact';
import type { NoticeContent } from '../page.js';
import { Icon, type IconName } from './icon.js';

const ICONS: Record<NoticeContent['kind'], IconName> = {
  accent: 'check',
  warn: 'alert',
  bad: 'alert',
  info: 'info',
};

interface NoticeProps {
  kind: NoticeContent['kind'];
  children: ComponentChildren;
}

export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`}>
    <Icon name={ICONS[kind]} />
    <div>{children}</div>
  </div>
);

/** The reason for refusing a form. Screen readers read it first. */
export const Refused = ({ children }: { children: ComponentChildren }) => (
  <div role="alert">
    <Notice kind="bad">{children}</Notice>
  </div>
);
