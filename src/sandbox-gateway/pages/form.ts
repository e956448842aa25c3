import { type Html, html } from './html.js';

/** A form of hidden fields, with what sends it. */
export function form(action: string, fields: Record<string, string>, buttons: Html): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${action}">${inputs}${buttons}</form>`;
}
