import fc from 'fast-check';
import {
  arrive,
  askReturn as askUnits,
  cancel as cancelUnits,
  canPlace,
  canReturn,
  canShip,
  canTakeBack,
  chargeFor,
  deliveryOf,
  hold,
  isUnsent,
  type Model,
  type ModelLine,
  type ModelOrder,
  type ModelPayment,
  type ModelReturn,
  type ModelUnits,
  move,
  payBack,
  payBackUnits,
  payOut,
  type PlanName,
  priceOf,
  rest,
  settle,
  ship as shipUnits,
  takeBack,
  takeMoneyBack,
  totalOf,
  unitsOf,
} from './model.js';
import { expectAgreement } from './agreement.js';
import type { World } from './world.js';

type Work = (model: Model, world: World) => Promise<void>;

/** One action. After it, the service and the model must agree on everything. */
class Command implements fc.AsyncCommand<Model, World> {
  constructor(
    private readonly description: string,
    private readonly work: Work,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    await this.work(model, world);
    await expectAgreement(model, world);
  }

  toString(): string {
    return this.description;
  }
}

function command<Values extends unknown[]>(
  name: string,
  values: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  work: (...values: Values) => Work,
) {
  return fc
    .tuple<Values>(...values)
    .map((drawn) => new Command(`${name}(${JSON.stringify(drawn).slice(1, -1)})`, work(...drawn)));
}

const which = fc.nat({ max: 1 });
const any = fc.nat();
const minor = fc.integer({ min: 0, max: 100_000_000 });
const plan = fc.constantFrom<PlanName>('first', 'second');
/** Indices of orders. */
const some = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });
const someKey = fc.constantFrom('a', 'b', 'c');
const parcelNumber = fc.integer({ min: 1, max: 3 });
/** Units of lines, by their indices. */
const unit = fc.tuple(which, fc.integer({ min: 1, max: 3 }));
const someUnits = fc.array(unit, { minLength: 1, maxLength: 2 });
const noneOrUnits = fc.array(unit, { maxLength: 2 });
const lines = fc.array(fc.tuple(which, fc.nat({ max: 1 }), fc.integer({ min: 1, max: 4 })), {
  minLength: 1,
  maxLength: 3,
});

/** Any number selects one of the orders. Nothing happens while there are none. */
function onOrder(
  work: (order: ModelOrder, model: Model, world: World) => Promise<void>,
): (index: number) => Work {
  return (index) => async (model, world) => {
    const order = model.orders[index % Math.max(model.orders.length, 1)];
    if (order) await work(order, model, world);
  };
}

/** The service must accept the action exactly when the model allows it. */
async function agreed(done: boolean, allowed: boolean, change: () => void): Promise<void> {
  if (done !== allowed)
    throw new Error(
      `The service ${done ? 'did' : 'refused'} what the model ${allowed ? 'allows' : 'refuses'}.`,
    );
  if (allowed) change();
}

function linesOf(model: Model, drawn: [number, number, number][]): ModelLine[] {
  return drawn.map(([productIndex, keyIndex, quantity]) => {
    const product = model.products[productIndex]!;
    const keys = [...product.stock.keys()];
    const units = { shipped: 0, cancelled: 0, refunded: 0, returned: 0 };
    const unitPrice = priceOf(model, product);
    return { product, key: keys[keyIndex % keys.length]!, quantity, unitPrice, ...units };
  });
}

const asSent = (wanted: ModelLine[]) =>
  wanted.map(({ product, key, quantity }) => ({ sku: product.sku, key, quantity }));

const place =
  (drawn: [number, number, number][]): Work =>
  async (model, world) => {
    const id = `order-${model.orders.length}`;
    const wanted = linesOf(model, drawn);
    const { status, body } = await world.place(id, asSent(wanted));
    if (status !== 201 && status !== 422) throw new Error(`An order was answered with ${status}.`);
    const total = totalOf(wanted);
    await agreed(status === 201, canPlace(wanted), () => {
      const number = String(body.order_number);
      hold(wanted, 1);
      model.orders.push({
        id,
        number,
        lines: wanted,
        total,
        delivery: deliveryOf(wanted),
        refunded: 0,
        status: 'awaiting_payment',
        paymentStatus: 'unpaid',
        timeline: ['awaiting_payment'],
        parcels: [],
        keys: new Map(),
        returns: [],
      });
    });
  };

const duplicate = onOrder(async ({ id, number, status, lines: known }, _, world) => {
  const answer = await world.place(id, asSent(known));
  const observed = {
    status: answer.status,
    number: answer.body.order_number,
    order: answer.body.status,
    same: answer.body.same_content,
  };
  expect(observed).toEqual({ status: 409, number, order: status, same: true });
});

/** Not while a payment through the gateway may still bring its money. */
const pay = onOrder(async (order, model, world) => {
  const allowed = order.status === 'awaiting_payment' && !isUnderway(model, [order]);
  await agreed(await world.act('pay', order), allowed, () => move(order, 'pending', 'paid'));
});

/** Units of these lines, each line once. */
function choose(from: readonly ModelLine[], drawn: [number, number][]): ModelUnits[] {
  const units = new Map<ModelLine, number>();
  for (const [at, quantity] of drawn) units.set(from[at % from.length]!, quantity);
  return [...units].map(([line, quantity]) => ({ line, quantity }));
}

/** Some units of some lines. Nothing happens while there are no orders. */
function onUnits<Rest extends unknown[]>(
  work: (order: ModelOrder, units: ModelUnits[], ...rest: Rest) => Work,
): (index: number, drawn: [number, number][], ...rest: Rest) => Work {
  return (index, drawn, ...others) =>
    onOrder((order, model, world) => work(order, choose(order.lines, drawn), ...others)(model, world))(index);
}

const ship = onOrder(async (order, _, world) => {
  const units = rest(order);
  await agreed(await world.ship(order), order.status === 'pending' && canShip(units), () =>
    shipUnits(order, units),
  );
});

/** A paid order, which may have left: short runs reach what comes after the sale. */
const sell =
  (drawn: [number, number, number][], hasLeft: boolean): Work =>
  async (model, world) => {
    const index = model.orders.length;
    for (const step of [place(drawn), pay(index), ...(hasLeft ? [ship(index)] : [])])
      await step(model, world);
  };

const shipPart = onUnits((order, units) => async (_, world) => {
  await agreed(await world.ship(order, units), isUnsent(order, units) && canShip(units), () =>
    shipUnits(order, units),
  );
});

/** A further box without lines, of a shipment that has left. */
const shipBox = onOrder(async (order, _, world) => {
  await agreed(await world.ship(order, []), order.status === 'shipped', () => shipUnits(order, []));
});

const deliver = onOrder(async (order, _, world) => {
  const open = order.parcels.filter(({ hasArrived }) => !hasArrived);
  await agreed(await world.deliver(order), open.length > 0, () => {
    for (const parcel of open) parcel.hasArrived = true;
    arrive(order);
  });
});

const deliverParcel = (index: number, number: number) =>
  onOrder(async (order, _, world) => {
    const parcel = order.parcels[number - 1];
    await agreed(await world.deliver(order, number), parcel?.hasArrived === false, () => {
      parcel!.hasArrived = true;
      arrive(order);
    });
  })(index);

const cancel = onOrder(async (order, model, world) => {
  await agreed(
    await world.act('cancel', order),
    ['awaiting_payment', 'pending'].includes(order.status),
    () => {
      if (order.status === 'pending') return cancelUnits(model, order, rest(order));
      hold(order.lines, -1);
      move(order, 'cancelled');
    },
  );
});

interface Once {
  name: string;
  kind: string;
  /** Can be taken back. */
  left?: number;
}

/** The service must accept a known key of the same kind, and change nothing, unless it was taken back. */
const once = async (
  order: ModelOrder,
  { name, kind, left = 0 }: Once,
  done: boolean,
  allowed: boolean,
  change: () => void,
) => {
  const known = order.keys.get(name);
  await agreed(done, known ? known.kind === kind && !known.isTakenBack : allowed, () => {
    if (!known) change();
    order.keys.set(name, known ?? { kind, left });
  });
};

const cancelPart = onUnits((order, units, name: string) => async (model, world) => {
  const isDone = await world.cancelPart(order, units, name);
  await once(order, { name, kind: 'cancelled' }, isDone, isUnsent(order, units), () =>
    cancelUnits(model, order, units),
  );
});

/** The money of goods that have not left stays, or their order is cancelled. */
const canPayBack = (order: ModelOrder, amount: number) =>
  order.paymentStatus === 'paid' &&
  amount > 0 &&
  amount <= order.total - order.refunded - (order.status === 'pending' ? 1 : 0);

const payBackLines = onUnits((order, units, name: string) => async (model, world) => {
  const isDone = await world.payBack(order, { kind: 'lines', lines: world.named(order, units) }, name);
  const amount = units.reduce((sum, { line, quantity }) => sum + line.unitPrice * quantity, 0);
  const isFresh = units.every(({ line, quantity }) => quantity <= line.quantity - line.refunded);
  await once(order, { name, kind: 'lines' }, isDone, canPayBack(order, amount) && isFresh, () =>
    payBackUnits(model, order, units),
  );
});

/** Without an amount, all that is left. */
const payBackAmount = (index: number, name: string, drawn: number | null) =>
  onOrder(async (order, model, world) => {
    const amount = drawn ?? Math.max(order.total - order.refunded, 1);
    const isDone = await world.payBack(order, { kind: 'amount', amount }, name);
    await once(order, { name, kind: 'amount', left: amount }, isDone, canPayBack(order, amount), () =>
      payBack(model, order, amount),
    );
  })(index);

/** A refunded amount, or a part of it. */
const takeBackAmount = (index: number, name: string, drawn: number | null) =>
  onOrder(async (order, model, world) => {
    const known = order.keys.get(name);
    const amount = drawn ?? Math.max(known?.left ?? 1, 1);
    const allowed = known?.kind === 'amount' && amount <= known.left && canTakeBack(model, order, amount);
    await agreed(await world.takeBack(order, name, amount), allowed, () => {
      takeMoneyBack(model, order, amount);
      known!.left -= amount;
      known!.isTakenBack = true;
    });
  })(index);

const payBackDelivery = (index: number, name: string) =>
  onOrder(async (order, model, world) => {
    const isDone = await world.payBack(order, { kind: 'delivery' }, name);
    const allowed = canPayBack(order, order.delivery) && !order.isDeliveryPaidBack;
    await once(order, { name, kind: 'delivery' }, isDone, allowed, () => {
      payBack(model, order, order.delivery);
      order.isDeliveryPaidBack = true;
    });
  })(index);

/** The service must accept a known key, and tell the number that it has. */
const askReturn = onUnits((order, units, key: string) => async (_, world) => {
  const known = order.returns.find((one) => one.key === key);
  const number = await world.askReturn(order, world.named(order, units), key);
  if (known) expect(number).toBe(known.number);
  else await agreed(number !== 'refused', canReturn(units), () => askUnits(order, units, number, key));
});

function onReturn(
  work: (one: ModelReturn, model: Model, world: World) => Promise<void>,
): (index: number) => Work {
  return (index) => async (model, world) => {
    const returns = model.orders.flatMap((order) => order.returns);
    const one = returns[index % Math.max(returns.length, 1)];
    if (one) await work(one, model, world);
  };
}

/** Without drawn units, all came. */
const receive = (
  index: number,
  drawn: [number, number][] | null,
  kept: [number, number][],
  isRefunded: boolean,
) =>
  onReturn(async (one, model, world) => {
    const { order, number, units } = one;
    const named = units.map(({ line }) => line);
    const came = drawn ? choose(named, drawn) : units;
    const restock = choose(named, kept);
    const isDone = await world.receive(number, {
      ...(drawn && { lines: world.named(order, came) }),
      restock: world.named(order, restock),
      refund: isRefunded,
    });
    const allowed =
      one.state === 'requested' &&
      !(isRefunded && order.paymentStatus === 'refunded') &&
      came.every(({ line, quantity }) => quantity <= unitsOf(units, line)) &&
      restock.every(({ line, quantity }) => quantity <= unitsOf(came, line));
    await agreed(isDone, allowed, () => {
      takeBack(one, 'received', came, restock);
      const before = order.refunded;
      if (isRefunded) payBackUnits(model, order, came);
      one.refunded = order.refunded - before;
    });
  })(index);

const refuse = onReturn(async (one, _, world) => {
  await agreed(await world.refuse(one.number), one.state === 'requested', () => takeBack(one, 'refused'));
});

const expire = onOrder(async (order, _, world) => {
  await world.expire(order);
  if (order.status !== 'awaiting_payment') return;
  hold(order.lines, -1);
  move(order, 'cancelled');
});

const topUp =
  (amount: number): Work =>
  async (model, world) => {
    await world.topUp(amount);
    model.balance += amount;
  };

/** Returns the orders that the numbers select, each once. */
function several({ orders }: Model, indices: number[]): ModelOrder[] {
  return [...new Set(indices.map((index) => orders[index % orders.length]!))];
}

const isUnderway = ({ payments }: Model, orders: ModelOrder[]) =>
  payments.some((payment) => payment.isOpen && payment.orders.some((order) => orders.includes(order)));

const areWaiting = (orders: ModelOrder[]) => orders.every(({ status }) => status === 'awaiting_payment');

const payFromWallet =
  (indices: number[]): Work =>
  async (model, world) => {
    if (model.orders.length === 0) return;
    const orders = several(model, indices);
    const allowed = areWaiting(orders) && !isUnderway(model, orders) && chargeFor(model, orders) === 0;
    await agreed(await world.payFromWallet(orders), allowed, () => payOut(model, orders));
  };

const beginPayment =
  (indices: number[]): Work =>
  async (model, world) => {
    if (model.orders.length === 0) return;
    const orders = several(model, indices);
    const started = await world.beginPayment(orders);
    await agreed(started !== 'refused', areWaiting(orders) && !isUnderway(model, orders), () => {
      const amount = chargeFor(model, orders);
      expect(started).toEqual(amount === 0 ? undefined : expect.objectContaining({ amount }));
      if (started === undefined) payOut(model, orders);
      else if (started !== 'refused')
        model.payments.push({ ...started, orders, isOpen: true, captured: 0, credited: 0, refunded: 0 });
    });
  };

function onPayment(
  work: (payment: ModelPayment, model: Model, world: World) => Promise<void>,
): (index: number) => Work {
  return (index) => async (model, world) => {
    const payment = model.payments[index % Math.max(model.payments.length, 1)];
    if (payment) await work(payment, model, world);
  };
}

/** A buyer pays at the gateway, sometimes twice, and the service gets no message. */
const capture = onPayment((payment, _, world) => {
  world.capture(payment);
  payment.captured++;
  return Promise.resolve();
});

/** The service learns of the payment in one of three ways, in any order and any number of times. */
const learnOf = (way: 'return' | 'event' | 'ask') =>
  onPayment(async (payment, model, world) => {
    await world.learnOf(payment, way);
    settle(model, payment);
  });

const giveUp = onPayment(async (payment, model, world) => {
  await world.giveUp(payment);
  settle(model, payment);
  payment.isOpen = false;
});

const refund = onPayment(async (payment, model, world) => {
  const allowed = payment.credited > payment.refunded && model.balance >= payment.amount;
  await agreed(await world.refund(payment), allowed, () => {
    model.balance -= payment.amount;
    payment.refunded++;
  });
});

const count =
  (index: number, key: number, onHand: number): Work =>
  async (model, world) => {
    const product = model.products[index]!;
    const keys = [...product.stock.keys()];
    const chosen = keys[key % keys.length]!;
    await world.count(product, chosen, onHand);
    product.stock.get(chosen)!.onHand = onHand;
  };

const reprice =
  (index: number, price: number): Work =>
  async (model, world) => {
    await world.price(model.products[index]!, price);
    model.products[index]!.base = price;
  };

const fixPrice =
  (index: number, on: PlanName, price: number): Work =>
  async (model, world) => {
    await world.fixPrice(model.products[index]!, on, price);
    model.products[index]!.fixed.set(on, price);
  };

const freePrice =
  (index: number, on: PlanName): Work =>
  async (model, world) => {
    await world.freePrice(model.products[index]!, on);
    model.products[index]!.fixed.delete(on);
  };

const discount =
  (on: PlanName, basisPoints: number): Work =>
  async (model, world) => {
    await world.discount(on, basisPoints);
    model.discounts[on] = basisPoints;
  };

const changePlan =
  (to: PlanName): Work =>
  async (model, world) => {
    await world.changePlan(to);
    model.plan = to;
  };

const activate =
  (index: number, active: boolean): Work =>
  async (model, world) => {
    await world.activate(model.products[index]!, active);
    model.products[index]!.active = active;
  };

const AFTER_SALE = [
  command('sell', [lines, fc.boolean()], sell),
  command('sell', [lines, fc.boolean()], sell),
  command('ship', [any], ship),
  command('shipPart', [any, someUnits], shipPart),
  command('shipPart', [any, someUnits], shipPart),
  command('shipBox', [any], shipBox),
  command('deliver', [any], deliver),
  command('deliverParcel', [any, parcelNumber], deliverParcel),
  command('cancel', [any], cancel),
  command('cancelPart', [any, someUnits, someKey], cancelPart),
  command('cancelPart', [any, someUnits, someKey], cancelPart),
  command('payBackLines', [any, someUnits, someKey], payBackLines),
  command('payBackAmount', [any, someKey, fc.option(fc.integer({ min: 1, max: 9_000 }))], payBackAmount),
  command('takeBackAmount', [any, someKey, fc.option(fc.integer({ min: 1, max: 9_000 }))], takeBackAmount),
  command('payBackDelivery', [any, someKey], payBackDelivery),
  command('askReturn', [any, someUnits, someKey], askReturn),
  command('askReturn', [any, someUnits, someKey], askReturn),
  command('askReturn', [any, someUnits, someKey], askReturn),
  command('receive', [any, fc.option(someUnits, { freq: 1 }), noneOrUnits, fc.boolean()], receive),
  command('receive', [any, fc.option(someUnits, { freq: 1 }), noneOrUnits, fc.boolean()], receive),
  command('receive', [any, fc.option(someUnits, { freq: 1 }), noneOrUnits, fc.boolean()], receive),
  command('refuse', [any], refuse),
];

/** Orders are more frequent than other actions, because most faults need an order. */
const EVERYTHING = [
  ...AFTER_SALE,
  command('place', [lines], place),
  command('place', [lines], place),
  command('place', [lines], place),
  command('duplicate', [any], duplicate),
  command('pay', [any], pay),
  command('pay', [any], pay),
  command('expire', [any], expire),
  command('topUp', [fc.integer({ min: 1, max: 50_000 })], topUp),
  command('payFromWallet', [some], payFromWallet),
  command('beginPayment', [some], beginPayment),
  command('beginPayment', [some], beginPayment),
  command('capture', [any], capture),
  command('capture', [any], capture),
  command('comeBack', [any], learnOf('return')),
  command('event', [any], learnOf('event')),
  command('ask', [any], learnOf('ask')),
  command('giveUp', [any], giveUp),
  command('refund', [any], refund),
  command('count', [which, any, fc.nat({ max: 8 })], count),
  command('reprice', [which, minor], reprice),
  command('fixPrice', [which, plan, minor], fixPrice),
  command('freePrice', [which, plan], freePrice),
  command('discount', [plan, fc.integer({ min: 0, max: 10_000 })], discount),
  command('changePlan', [plan], changePlan),
  command('activate', [which, fc.boolean()], activate),
];

const sequencesOf = (actions: typeof EVERYTHING) => fc.commands(actions, { maxCommands: 16, size: '+1' });

/** Among all actions, returns seldom follow a sale. So some runs begin with one and take no other actions. */
export const sequences = {
  'of actions': { first: fc.constant([]), stock: fc.nat({ max: 8 }), actions: sequencesOf(EVERYTHING) },
  'after a sale': {
    first: fc.tuple(command('sell', [lines, fc.constant(true)], sell)),
    stock: fc.integer({ min: 4, max: 16 }),
    actions: sequencesOf(AFTER_SALE),
  },
};
