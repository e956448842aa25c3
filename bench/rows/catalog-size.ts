import { spreadSkus } from '../database/spread-skus.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare, type Contender } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

/** As many on both sides: how many different addresses are asked for costs something too, in the generator of the load as well. */
const POLLED = 100;

export const catalogSize: Row = {
  id: 'catalog-size',
  async measure(bench) {
    const polled = async (products: number): Promise<Contender> => {
      const database = await bench.database(products);
      return {
        server: await bench.service(database),
        load: stockChecks(database, spreadSkus(products, POLLED)),
      };
    };
    const { rate, others } = await compare(bench.pace, await polled(100_000), await polled(100));
    return [
      {
        work: `stock checks of ${POLLED} among 100,000 products`,
        measured: perSecond(rate),
        against: `of all of ${POLLED} products: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.9),
      },
    ];
  },
};
