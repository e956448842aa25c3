import type { ComponentChildren } from 'preact';
import type { NoticeContent } from '../notice-content.js';
import { Icon, type IconName } from './icon.js';

const ICONS: Record<NoticeContent['kind'], IconName> = {
  accent: 'check',
  warn: 'alert',
  bad: 'alert',
  info: 'info',
};

interface Props {
  kind: NoticeContent['kind'];
  children: ComponentChildren;
}

export const Notice = ({ kind, children }: Props) => (
  <div class={`notice ${kind}`}>
    <Icon name={ICONS[kind]} />
    <div>{children}</div>
  </div>
);
