import { hiddenFields, readable } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const PLAN = '/dashboard/plan';
const BILLING = `${PLAN}/billing`;
const MUMBAI = '27AAPFU0939F1ZV';

describe('Billing details in the dashboard', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let clientId: number;
  let owner: Awaited<ReturnType<typeof signIn>>;
  beforeEach(async () => {
    await test.fixtures.clear();
    await test.fixtures.sql('DELETE FROM sellers');
    ({ clientId } = await test.fixtures.store());
    owner = await signIn(test, clientId, 'owner');
  });

  const setSeller = () =>
    answerOf(
      test.database.url,
      'seller',
      'set',
      '--name',
      'S',
      '--gstin',
      '29AAGCB7383J1Z4',
      '--address',
      'Pune',
    );
  const stored = async () =>
    (await test.pool.query('SELECT gstin, state, billing_address FROM clients WHERE id = $1', [clientId]))
      .rows[0] as unknown;
  const displayed = async () =>
    hiddenFields((await owner.get(BILLING).expect(200)).text)['shown']![0]!.replaceAll('&quot;', '"');
  const save = async (fields: Record<string, string>, observed?: string) =>
    owner.post(BILLING, { shown: observed ?? (await displayed()), ...fields });
  const audited = async () =>
    (
      await test.pool.query(
        `SELECT actor, details FROM audit_log WHERE client_id = $1 AND action = 'client.changed'`,
        [clientId],
      )
    ).rows as unknown[];

  it('are not there while there is no seller', async () => {
    expect((await owner.get(PLAN)).text).not.toContain('Billing details');
    expect((await owner.get(BILLING)).status).toBe(404);
    expect((await owner.post(BILLING, { gstin: MUMBAI })).status).toBe(404);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
  });

  it('are set by an owner, who is recorded', async () => {
    await setSeller();
    expect(readable((await owner.get(PLAN)).text)).toContain(
      'The wholesaler cannot ship your orders without your GSTIN or state, and billing address.',
    );
    const saved = await save({
      gstin: MUMBAI.toLowerCase(),
      state: '',
      billingAddress: ' 1, Marine Drive ',
    });
    expect([saved.status, saved.headers['location']]).toEqual([303, PLAN]);
    const billing = { gstin: MUMBAI, state: '27', billing_address: '1, Marine Drive' };
    expect(await stored()).toEqual(billing);
    const text = readable((await owner.get(PLAN)).text);
    expect(text).toContain(`GSTIN ${MUMBAI}`);
    expect(text).toContain('Maharashtra (27)');
    expect(text).not.toContain('Without a state');
    expect(await audited()).toEqual([
      {
        actor: `person ${owner.person.id} (${owner.person.email})`,
        details: { ...billing, gstin_before: null, state_before: null, billing_address_before: null },
      },
    ]);
    expect((await save({ gstin: '', state: '', billingAddress: '' })).status).toBe(303);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
  });

  it('say at each field what is wrong, and keep what was typed', async () => {
    await setSeller();
    const wrong = await save({ gstin: '27AAPFU0939F1ZW', state: '99', billingAddress: 'a\nb' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/id="field-gstin-fault">The GSTIN is mistyped/);
    expect(wrong.text).toMatch(/id="field-state-fault">The state must be an Indian state/);
    expect(wrong.text).toMatch(/id="field-billingAddress-fault">The billing address must be one line/);
    expect(wrong.text).toContain('value="27AAPFU0939F1ZW"');
    const { rows } = await test.pool.query<{ gstin: string }>('SELECT gstin FROM sellers');
    const own = await save({ gstin: rows[0]!.gstin, state: '', billingAddress: '' });
    expect(own.status).toBe(422);
    expect(own.text).toMatch(/id="field-gstin-fault">This GSTIN belongs to the seller/);
    const other = await save({ gstin: MUMBAI, state: '29', billingAddress: '' });
    expect(other.status).toBe(422);
    expect(other.text).toMatch(/id="field-state-fault">The GSTIN belongs to Maharashtra \(27\)/);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
    expect(await audited()).toEqual([]);
  });

  it('do not overwrite the change of another person without a look at it', async () => {
    await setSeller();
    const before = await displayed();
    await answerOf(test.database.url, 'client', 'set', String(clientId), '--state', 'Goa');
    const stale = await save({ gstin: MUMBAI, state: '', billingAddress: 'Pune' }, before);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('another person changed these details');
    expect(readable(stale.text)).toContain('State for GST Goa (30)');
    expect(stale.text).toContain(`value="${MUMBAI}"`);
    expect(await stored()).toMatchObject({ gstin: null, state: '30' });
    const now = hiddenFields(stale.text)['shown']![0]!.replaceAll('&quot;', '"');
    expect((await save({ gstin: MUMBAI, state: '', billingAddress: 'Pune' }, now)).status).toBe(303);
    expect(await stored()).toEqual({ gstin: MUMBAI, state: '27', billing_address: 'Pune' });
  });
});
