import request from 'supertest';
import { type DemoCredentials, loadDemo } from '../../src/demo/load-demo.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('the demo', () => {
  let service: TestApp;
  beforeAll(async () => void (service = await startTestApp()));
  afterAll(() => service.close());

  const noted: DemoCredentials[] = [];
  const keep = async (credentials: DemoCredentials) => void noted.push(credentials);
  const count = async (table: string) => (await service.pool.query(`SELECT FROM ${table}`)).rowCount;

  it('leaves nothing behind when its credentials could not be kept', async () => {
    await expect(
      loadDemo(service.database.url, () => Promise.reject(new Error('disk full'))),
    ).rejects.toThrow('disk full');
    expect(await count('products')).toBe(0);
  });

  it('is loaded once, even by two at a time, with a token that works', async () => {
    const loaded = await Promise.all([
      loadDemo(service.database.url, keep),
      loadDemo(service.database.url, keep),
    ]);
    const [credentials, ...others] = loaded.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(noted).toEqual([credentials]);
    const list = await eventually(async () => {
      const { status, body } = await request(service.url)
        .get('/api/products')
        .set({ Authorization: `Bearer ${credentials?.token}`, 'X-Client-Domain': credentials?.domain ?? '' });
      return status === 200
        ? (body as { total: number; data: { sku: string; pricing: { wholesale_price: number } }[] })
        : undefined;
    });
    expect(list?.total).toBeGreaterThan(20);
    expect(list?.data.find(({ sku }) => sku === 'TSHIRT-CLASSIC')?.pricing.wholesale_price).toBe(159);
  });

  it('is not loaded into a database that somebody has begun to fill', async () => {
    expect(await loadDemo(service.database.url, keep)).toBeUndefined();
  });
});
