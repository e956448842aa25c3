import type { ComponentChildren } from 'preact';
import { FormCard } from '../../shared/ui/components/controls.js';
import { Card, Empty } from '../../shared/ui/components/layout.js';
import type { Link, Page } from '../../shared/ui/page.js';

export interface FormPageProps extends Pick<Page, 'title' | 'lead' | 'back'> {
  enctype?: 'multipart/form-data';
  hidden?: Readonly<Record<string, string>>;
  fields: ComponentChildren;
  buttons: ComponentChildren;
}

export function formPage(form: FormPageProps): Page {
  const { title, lead, back, fields, buttons, ...more } = form;
  return {
    title,
    lead,
    back,
    content: (
      <FormCard {...more}>
        {fields}
        {buttons}
      </FormCard>
    ),
  };
}

/** Replaces a form whose action is not possible now. By default the button leads back. */
export const unavailablePage = (
  title: string,
  text: ComponentChildren,
  back: Link,
  next: Partial<Link> & Pick<Link, 'text'>,
): Page => ({
  title,
  back,
  content: (
    <Card>
      <Empty next={{ href: back.href, ...next }}>
        <p>{text}</p>
      </Empty>
    </Card>
  ),
});
