import { gunzipSync } from 'node:zlib';
import { PlanView } from '../products/plan-view.js';
import { ProductChunk } from '../products/product-chunk.js';
import { ProductView } from '../products/product-view.js';
import { SnapshotState } from '../snapshot/snapshot-state.js';
import type { ListForm } from './list-pieces.js';
import { WholeLists } from './whole-list.js';

const FORM: ListForm<PlanView> = {
  name: 'names',
  head: (total) => `{"total":${total},"data":[`,
  item: ({ id, name }) => ({ id, name }),
  tail: () => ']}',
  changesTail: () => ']}',
};

/** Chunks that fill one group and begin another. */
const CHUNKS = 70;

function stateOfProducts(): SnapshotState {
  const state = new SnapshotState();
  for (let chunk = 0; chunk < CHUNKS; chunk++) publish(state, chunk, `Product ${chunk}`);
  return state;
}

/** One active product in the chunk. */
function publish(state: SnapshotState, chunk: number, name: string | undefined): void {
  const product = Object.assign(new ProductView(chunk * 64), {
    name,
    active: true,
    contentVersion: ++version,
  });
  product.fingerprint.addRow(1, product.id, version);
  state.productIndex.publish(chunk, name === undefined ? undefined : new ProductChunk(chunk, [product]));
  state.productIndex.revision++;
}

let version = 0;

describe('WholeList', () => {
  const state = stateOfProducts();
  const list = new WholeLists<PlanView>().listFor(state, new PlanView(1), FORM);

  async function names(): Promise<string[]> {
    const { bytes } = await list.encode('gzip');
    const { total, data } = JSON.parse(gunzipSync(Buffer.concat(bytes as Buffer[])).toString()) as {
      total: number;
      data: { name: string }[];
    };
    expect(total).toBe(data.length);
    return data.map(({ name }) => name);
  }

  it('has all products in order, also after a change, a removal and a return', async () => {
    const expected = Array.from({ length: CHUNKS }, (_, chunk) => `Product ${chunk}`);
    expect(await names()).toEqual(expected);
    publish(state, 65, 'Renamed');
    expect(await names()).toEqual(expected.with(65, 'Renamed'));
    publish(state, 3, undefined);
    expect(await names()).toEqual(expected.with(65, 'Renamed').toSpliced(3, 1));
    publish(state, 3, 'Back');
    expect(await names()).toEqual(expected.with(65, 'Renamed').with(3, 'Back'));
  });

  it('joins only the group of a change again', async () => {
    const { bytes: before } = await list.encode('gzip');
    publish(state, 65, 'Again');
    const { bytes: after } = await list.encode('gzip');
    const isKept = (after as Buffer[]).map((piece, at) => piece === (before as Buffer[])[at]);
    // Header, beginning, first group, comma, second group, end, and the end of the stream.
    expect(isKept.slice(2, 5)).toEqual([true, true, false]);
  });
});

describe('WholeLists', () => {
  it('drop the list not used for the longest time when all others are too large', async () => {
    const state = stateOfProducts();
    const [first, second, third] = [1, 2, 3].map((id) => new PlanView(id));
    const { length } = await new WholeLists<PlanView>().listFor(state, first!, FORM).encode('identity');
    const lists = new WholeLists<PlanView>(2 * length);
    const use = async (plan: PlanView | undefined) => {
      const list = lists.listFor(state, plan!, FORM);
      await list.encode('identity');
      return list;
    };
    const [ofFirst, ofSecond] = [await use(first), await use(second)];
    expect(await use(first)).toBe(ofFirst);
    await use(third);
    expect(await use(first)).toBe(ofFirst);
    await use(third);
    await use(new PlanView(4));
    expect(await use(second)).not.toBe(ofSecond);
  });
});
