import type { Page } from 'playwright-core';
import type { Company } from './company.js';

/** A page as it is looked at: by whom, and where it is. */
export interface TestPage {
  by: 'visitor' | 'owner' | 'buyer' | 'newcomer' | 'admin' | 'packer';
  path(company: Company): string;
  /** What is done there before it is looked at. */
  after?: (page: Page) => Promise<unknown>;
}

type Where = string | TestPage['path'];

export const pageFor =
  (by: TestPage['by']) =>
  (where: Where, after?: TestPage['after']): TestPage => ({
    by,
    path: typeof where === 'string' ? () => where : where,
    ...(after && { after }),
  });

/** As it is sent: what is wrong with it is for the service to say, not for the browser. */
export const send = (fields: Record<string, string>, button: string) => async (on: Page) => {
  for (const [label, value] of Object.entries(fields))
    await on.getByLabel(label, { exact: true }).fill(value);
  await on.locator('form').evaluateAll((forms) => {
    for (const form of forms as HTMLFormElement[]) form.noValidate = true;
  });
  await Promise.all([on.waitForEvent('load'), on.getByRole('button', { name: button }).click()]);
};
