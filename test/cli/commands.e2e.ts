import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import request from 'supertest';
import { eventually } from '../support/eventually.js';
import { orderBody } from '../support/order-body.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

interface Order {
  order_number: string;
  status: string;
  payment_status: string;
  cancel_reason: string | null;
  tracking: object | null;
  timeline: { status: string; actor: string; note: string | null }[];
}

const CATALOG = `sku,name,description,category,images,base_price,delivery_charge,active,variations
MUG,Mug,Stoneware,Kitchen,https://images.example.com/mug.jpg,200,30,true,Color=Red|Blue
0815,Plate,,Kitchen,,100,30,true,
`;

describe('the commands', () => {
  const service = setUpTestApp();
  const directory = setUpDirectory();
  let store: { client_id: number; token_id: number; token: string; domain: string };

  const run = (...args: string[]) => runCommand(service.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(service.database.serviceUrl, ...args);
  const file = async (name: string, content: string) => {
    await writeFile(path.join(directory, name), content);
    return path.join(directory, name);
  };
  const api = (address: string, { token, domain }: { token: string; domain: string } = store) =>
    request(service.url)
      .get(address)
      .set({ Authorization: `Bearer ${token}`, 'X-Client-Domain': domain });
  const place = async (sku: string, quantity: number, variation?: string): Promise<string> => {
    const response = await request(service.url)
      .post('/api/orders')
      .set({ Authorization: `Bearer ${store.token}`, 'X-Client-Domain': store.domain })
      .send(orderBody([{ sku, quantity, variation }], { notes: '=HYPERLINK("https://evil.example.com")' }));
    expect(response.status).toBe(201);
    return (response.body as { order_number: string }).order_number;
  };

  it('lead from an empty database to a delivered order, seen by the running service', async () => {
    await expect(answer('migrate')).resolves.toEqual({ applied: [] });
    await expect(answer('plan', 'set', 'gold', '--name', 'Gold', '--discount', '12.5')).resolves.toEqual({
      code: 'gold',
      name: 'Gold',
      discount: 12.5,
      created: true,
    });
    const client =
      'client add --name Anaya --email anaya@example.com --domain https://www.Anaya.example.com/';
    store = await answer(...`${client} --plan gold --until 2099-12-31`.split(' '));
    expect(store).toMatchObject({
      token: expect.stringMatching(/^wha_/) as string,
      domain: 'anaya.example.com',
      plan: 'gold',
      until: '2099-12-31',
    });
    const counts = await file('counts.csv', 'sku,variation,quantity\nMUG,Color:Red,5\n0815,,9\n');
    expect(await answer('catalog', 'import', await file('catalog.csv', CATALOG))).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: [],
      warnings: [],
    });
    expect(await answer('stock', 'import', counts)).toMatchObject({ updated: 2 });
    expect(await answer('stock', 'receive', 'MUG', 'blue', '+4', '--reason', 'delivery 17')).toMatchObject({
      on_hand: 4,
    });
    const product = await eventually(async () => {
      const { status, body } = await api('/api/products/MUG');
      return status === 200 && (body as { data: { stock_qty: number } }).data.stock_qty === 9 && body;
    });
    expect(product).toMatchObject({ data: { pricing: { wholesale_price: 175 } } });

    const number = await place('MUG', 2, 'Red');
    const spoken = number.toLowerCase().replaceAll('-', ' ');
    const how = '--method wallet --reference TX-1 --by operator:asha'.split(' ');
    await answer('order', 'pay', spoken, ...how);
    const packing = await run('order', 'export');
    expect(packing.stdout).toContain(`${number},`);
    expect(packing.stdout).toContain('"12, MG Road",Bengaluru,Karnataka,560038,India,1,MUG,Mug,Color:Red,2,');
    expect(packing.stdout).toContain(`'=HYPERLINK`);
    const shippedAt = new Date().toISOString();
    const shipments = await file(
      'shipments.csv',
      `order_number,courier,tracking_number,tracking_url,shipped_at\n${number},Delhivery,DL1,https://track.example.com/DL1,${shippedAt}\n`,
    );
    expect(await answer('shipment', 'import', shipments)).toMatchObject({ updated: 1, failed: [] });
    expect(await answer('shipment', 'import', shipments)).toMatchObject({ updated: 0, unchanged: 1 });
    const order = await answer<Order>('order', 'deliver', number);
    expect(order).toMatchObject({
      status: 'delivered',
      payment_status: 'paid',
      tracking: { tracking_number: 'DL1' },
    });
    expect(order.timeline.map(({ status }) => status)).toEqual([
      'awaiting_payment',
      'pending',
      'shipped',
      'delivered',
    ]);
    expect(order.timeline[1]!.actor).toBe('operator:asha');
    expect(order.timeline[3]!.actor).toMatch(/^operator:./);
    const { body } = await api(`/api/orders/${number}/status`);
    expect(body).toMatchObject({
      status: 'delivered',
      tracking: { courier: 'Delhivery', shipped_at: shippedAt },
    });
  });

  it('end with 1 when rows failed, with the report on standard output and the rows in a file', async () => {
    const failed = path.join(directory, 'failed.csv');
    const bad = await file('bad.csv', 'Plan;SKU;Wholesale_Price\ngold;MUG;1,500\ngold;0815;50\n');
    const { exitCode, stdout, stderr } = await run('price', 'import', bad, '--failed', failed, '--json');
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: [
        { line: 2, column: 'wholesale_price', message: 'must be a plain number such as 12.50 ("1,500")' },
      ],
      warnings: [],
    });
    const kept = await readFile(failed, 'utf8');
    expect(kept).toBe(
      'Plan;SKU;Wholesale_Price;reason\r\ngold;MUG;"1,500";"wholesale_price must be a plain number such ' +
        'as 12.50 (""1,500"")"\r\n',
    );
    await writeFile(failed, kept.replace('"1,500"', '150'));
    expect(await answer('price', 'import', failed)).toMatchObject({ created: 1, failed: [], warnings: [] });
    const exported = await run('price', 'export');
    expect(exported.stdout).toMatch(
      /^plan,sku,wholesale_price,was\r\ngold,MUG,150.00,[a-z]+\r\ngold,0815,50.00,[a-z]+\r\n$/,
    );
  });

  it.each([['list'], ['refused'], ['export']])(
    'refuse to %s orders of a client that there is not',
    async (name) => {
      const { exitCode, stdout, stderr } = await run('order', name, '--client', '99999', '--json');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'client_not_found' });
    },
  );
});
