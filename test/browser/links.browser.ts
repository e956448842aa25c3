import type { Page } from 'playwright-core';
import type { OtherActor } from '../../src/modules/audit/audit-log.js';
import { PeopleAdministrationService } from '../../src/modules/people/people-administration.service.js';
import { MailServer } from '../support/mail-server.js';
import { eventually } from '../support/eventually.js';
import { addPerson, startSession } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { browserUrl, Chromium } from './support/chromium.js';
import { axeFindings, overflow } from './support/findings.js';
import { LOOKS } from './support/looks.js';

const CHOSEN = 'tractor violin mosaic';

describe('A person', () => {
  const chromium = new Chromium();
  let test: TestApp;
  let server: MailServer;
  let operator: OtherActor<number>;
  let made = 0;

  beforeAll(async () => {
    server = await MailServer.start();
    test = await startTestApp({ mail: server.settings });
    const { clientId } = await test.fixtures.store({ name: 'Anaya Home' });
    operator = { clientId, actor: 'test' };
  });
  afterAll(() => test.close());

  const people = () => test.app.get(PeopleAdministrationService, { strict: false });

  /** As it stands in the mail. */
  const invitation = async () => {
    const email = `somebody-${++made}@example.com`;
    await people().invite(operator, { email, role: 'buyer' });
    const mail = await eventually(() => server.to(email));
    const link = new URL(/http\S+#\S+/.exec(mail.text)![0]);
    return { email, link: `${browserUrl(test)}${link.pathname}${link.hash}`, secret: link.hash.slice(1) };
  };

  const choose = async (page: Page) => {
    await page.getByLabel('Your name').fill('Lakshmi Iyer');
    await page.getByLabel('New password', { exact: true }).fill(CHOSEN);
    await page.getByLabel('Repeat the new password').fill(CHOSEN);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('Welcome, Lakshmi Iyer').waitFor();
  };

  it('follows an invitation, chooses a password and is signed in; no address has the secret', async () => {
    const { link, secret } = await invitation();
    const page = await chromium.openPage(test);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url(), JSON.stringify(request.headers())));
    let address = '';
    await page.route('**/dashboard/link', (route) => {
      if (route.request().method() === 'POST') address = page.url();
      return route.continue();
    });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Welcome to Anaya Home' }).waitFor();
    expect(address).toBe(`${browserUrl(test)}/dashboard/link`);
    const addresses = sent.join('\n').replaceAll(/#\S*/g, '');
    await choose(page);
    await page.goBack();
    await page.goBack();
    expect(page.url()).not.toContain(secret);
    // A cookie brings it to the page on which it is used.
    expect(addresses.replaceAll(`link=${secret}`, '')).not.toContain(secret);
  });

  it('does the same where no script runs, by pasting the link', async () => {
    const { link } = await invitation();
    const page = await chromium.openPage(test, { scripts: false });
    await page.goto(link);
    await page.getByLabel('Code').fill(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await choose(page);
  });

  it('opens a link in a window where another one was opened before', async () => {
    const [first, second] = [await invitation(), await invitation()];
    const page = await chromium.openPage(test);
    await page.goto(browserUrl(test) + '/dashboard/link');
    await page.evaluate((hash) => (location.hash = hash), `#${first.secret}`);
    await page.getByText(first.email).waitFor();
    await page.goto(second.link);
    await page.getByText(second.email).waitFor();
  });

  it('gets advice for a link that is not valid any more', async () => {
    const { link } = await invitation();
    await choose(await opened(link));
    const page = await chromium.openPage(test);
    await page.goto(link);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('no longer works');
    await page.getByRole('link', { name: 'ask for a new password' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  });

  const opened = async (link: string) => {
    const page = await chromium.openPage(test);
    await page.goto(link);
    return page;
  };

  it('who has forgotten their password gets another one by mail, and signs in with it', async () => {
    const { email } = await addPerson(test, operator.clientId);
    const page = await chromium.openPage(test);
    await page.goto('/dashboard/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a link is on its way to it').waitFor();
    const mail = await eventually(() => server.to(email));
    await page.goto(`/dashboard/link#${/#(\S+)\n/.exec(mail.text)![1]}`);
    await page.getByLabel('New password', { exact: true }).fill(CHOSEN);
    await page.getByLabel('Repeat the new password').fill(CHOSEN);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');
  });

  it('as an owner invites a colleague, changes their role, and disables them', async () => {
    const owner = await startSession(test, await addPerson(test, operator.clientId));
    const page = await chromium.openPage(test, { as: owner });
    await page.goto('/dashboard/people');
    await page.getByRole('link', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail address').fill('devika@example.com');
    await page.getByLabel('Buyer').check();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('An invitation is on its way to devika@example.com').waitFor();
    await page.getByRole('link', { name: 'devika@example.com' }).click();
    await page.getByLabel('Viewer').check();
    await page.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('now has the role viewer').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('no longer works').waitFor();
  });

  it.each(LOOKS)('can use what only a link leads to, on a $width, $scheme', async (look) => {
    const { link } = await invitation();
    const page = await chromium.openPage(test, look);
    for (const path of [link, '/dashboard/reset']) {
      await page.goto(path);
      await page.getByRole('heading', { name: /Welcome|Forgot/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    }
    await page.goto('/dashboard/link/password');
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('Repeat the new password').fill('shorter');
    await page.getByLabel('Your name').fill('Lakshmi Iyer');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('Does not match the new password').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
