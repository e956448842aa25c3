/**
 * A client of the Wholesale Order API in one file, for Node.js 18 or newer. It needs no packages.
 * A request has 10 seconds. Without a final answer (no connection, 408, 429, 5xx) it is sent again: after the
 * seconds of `Retry-After`, else after 1, 2, 4, 8 and 16 seconds. All other errors throw at once.
 */
export class WholesaleError extends Error {
  // `status` is 0 without an answer. `errors` lists the faults: field, code and message.
  constructor(status, body) {
    super(`${status} ${body.code}: ${body.message}`);
    Object.assign(this, { status, code: body.code, errors: body.errors ?? [], body });
  }
}

export class Wholesale {
  // `headers` go with every request, such as X-Test-Failure.
  constructor(baseUrl, token, domain, { timeout = 10, attempts = 6, sleep = pause, headers } = {}) {
    this.headers = { ...headers, Authorization: `Bearer ${token.trim()}`, 'X-Client-Domain': domain };
    Object.assign(this, { baseUrl: baseUrl.replace(/\/$/, ''), timeout, attempts, sleep });
  }

  // The products that changed since the last call: { products, removed, complete, since }. Keep `since` for the
  // next call. If `complete`, these are all products: delete all others.
  catalog(since) {
    return this.#changed('/api/products?expand=variations,delivery_charge,details&', since);
  }

  // The same with stock alone: a smaller answer.
  stock(since) {
    return this.#changed('/api/stock?', since);
  }

  // What an order would cost, and whether there is stock. Nothing is created.
  quote(order) {
    return this.send('POST', '/api/orders/quote', order);
  }

  // Places an order once: a repeat with the same `store_order_id` returns the order that exists. If that was
  // cancelled, it throws: to order again takes a new id.
  async place(order) {
    if (!order.store_order_id) throw new Error('The store_order_id is missing.');
    return this.send('POST', '/api/orders', order).catch((error) => {
      const { code, body } = error;
      if (code === 'duplicate_order' && body.same_content && body.status !== 'cancelled') return body;
      throw error;
    });
  }

  // One order with parcels, returns and timeline, by our number or yours.
  status(number) {
    return this.send('GET', `/api/orders/${encodeURIComponent(number)}/status`);
  }

  // The same with recipient, address, notes, refunds and documents. A read-only token may not read it.
  order(number) {
    return this.send('GET', `/api/orders/${encodeURIComponent(number)}`);
  }

  // The orders that changed since the last call: { orders, unknown, since }. `tracking` is null until a parcel
  // leaves. At the first call, and if `since` has expired, you get the `open` orders as they are now.
  async changes(since, open = []) {
    const found = { orders: [], unknown: [], since };
    try {
      for (let more = Boolean(since); more;) {
        const page = await this.send('GET', `/api/orders?since=${encodeURIComponent(found.since)}`);
        found.orders.push(...page.data);
        [found.since, more] = [page.sync_token, page.has_more];
      }
      if (since) return found;
    } catch (error) {
      if (error.status !== 410) throw error;
    }
    found.since = (await this.send('GET', '/api/orders?limit=1')).sync_token; // first, to miss no change
    for (let at = 0; at < open.length; at += 100) {
      const numbers = new URLSearchParams(open.slice(at, at + 100).map((number) => ['orders', number]));
      const page = await this.send('GET', `/api/orders/status?${numbers}`);
      found.orders.push(...page.data);
      found.unknown.push(...page.unknown);
    }
    return found;
  }

  // The invoices and notes of an order: number, kind, date, amount, lines and url.
  async documents(number) {
    return (await this.send('GET', `/api/orders/${encodeURIComponent(number)}/documents`)).documents;
  }

  // The same of all orders from this day to that day, such as 2026-11-30. Both days are included.
  async documentsByDay(first, last = first) {
    const documents = [];
    for (let query = { issued_from: first, issued_to: last, limit: 100 }; query;) {
      const page = await this.send('GET', `/api/documents?${new URLSearchParams(query)}`);
      documents.push(...page.data);
      query = page.has_more && { ...query, cursor: page.next_cursor };
    }
    return documents;
  }

  // Sends any request that is safe to repeat. A PDF, such as the `url` of a document, comes as bytes.
  async send(method, path, content) {
    for (let attempt = 1; ; attempt++) {
      const { status, body, retryAfter } = await this.#try(method, path, content).catch(noAnswer);
      if (status >= 200 && status < 300) return body;
      const mayPass = status < 200 || status === 408 || status === 429 || status >= 500;
      if (!mayPass || attempt >= this.attempts) throw new WholesaleError(status, body);
      const seconds = Math.min(retryAfter || 2 ** (attempt - 1), 60);
      await this.sleep(seconds * (1 + Math.random() / 4)); // not all stores at the same moment
    }
  }

  async #try(method, path, content) {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      ...(content && { body: JSON.stringify(content) }),
      redirect: 'manual', // no other host gets the token
      signal: AbortSignal.timeout(this.timeout * 1_000), // until the last byte
    });
    const { status, headers } = response;
    const retryAfter = Number(headers.get('Retry-After'));
    const [type] = (headers.get('Content-Type') ?? '').split(';');
    if (type === 'application/json') return { status, retryAfter, body: await response.json() };
    if (type === 'application/pdf') return { status, body: new Uint8Array(await response.arrayBuffer()) };
    const body = { code: 'not_json', message: 'Not an answer of the service. Check the base address.' };
    return { status: status < 300 ? 0 : status, retryAfter, body };
  }

  async #changed(path, since) {
    try {
      const page = await this.send('GET', path + (since ? `since=${encodeURIComponent(since)}` : ''));
      return { products: page.data, removed: page.removed ?? [], complete: !since, since: page.sync_token };
    } catch (error) {
      if (error.status !== 410) throw error;
      return this.#changed(path); // the service was restored: read all again
    }
  }
}

const noAnswer = (error) => ({ status: 0, body: { code: 'no_answer', message: `${error.cause ?? error}` } });
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
