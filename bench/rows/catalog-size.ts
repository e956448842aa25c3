import { spreadSkus } from '../database/spread-skus.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare, type Contender } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

export const catalogSize: Row = {
  id: 'catalog-size',
  async measure(bench) {
    const polled = async (products: number): Promise<Contender> => {
      const database = await bench.database(products);
      return {
        server: await bench.service(database),
        load: stockChecks(database, spreadSkus(products, 2_000)),
      };
    };
    const { rate, others } = await compare(bench.pace, await polled(100_000), await polled(100));
    return [
      {
        work: 'stock checks of 2,000 among 100,000 products',
        measured: perSecond(rate),
        against: `of all of 100 products: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.9),
      },
    ];
  },
};
