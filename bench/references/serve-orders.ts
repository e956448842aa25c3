import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { orderReader, type OrderToWrite } from './order-to-write.js';
import { reply, serve } from './serve.js';

/** Answers like the service as soon as the rows are written. */
export async function serveOrders(pool: Pool, write: (order: OrderToWrite) => Promise<void>): Promise<void> {
  const read = await orderReader(pool);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const order = await read(request);
      await write(order);
      reply(response, 201, { success: true, order_number: order.orderNumber });
    } catch (error) {
      reply(response, 500, { message: String(error) });
    }
  };
  serve((request, response) => void answer(request, response));
}
