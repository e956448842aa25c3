import type { CreateOrderRequest } from '../modules/orders/placing/create-order.request.js';

interface DemoOrder {
  hoursAgo: number;
  /** Its status in the beginning. The services pay and cancel some of those that wait. */
  status: 'awaiting_payment' | 'shipped' | 'delivered';
  tracking: string;
  request: CreateOrderRequest & { store_order_id: string };
}

const PEOPLE = [
  person('Ravi Kumar', '12, MG Road', 'Bengaluru', 'Karnataka', '560038'),
  person('Sneha Patil', '31, FC Road', 'Pune', 'Maharashtra', '411004'),
  person('Lakshmi Iyer', '23, Besant Nagar', 'Chennai', 'Tamil Nadu', '600090'),
  person('Imran Shaikh', '9, Relief Road', 'Ahmedabad', 'Gujarat', '380001'),
  person('Meera Nair', '4, Marine Drive', 'Kochi', 'Kerala', '682031'),
  person('Debjani Roy', '52, Lake Gardens', 'Kolkata', 'West Bengal', '700045'),
  person('Arjun Singh', '7, C-Scheme', 'Jaipur', 'Rajasthan', '302001'),
  person('Harpreet Kaur', '18, Mall Road', 'Amritsar', 'Punjab', '143001'),
  person('Farhan Ali', '88, Banjara Hills', 'Hyderabad', 'Telangana', '500034'),
];

const BASKETS = [
  [mugs(4), shirt('Navy / L', 2)],
  [one('BOTTLE-STEEL-1L', 3, 'Teal')],
  [shirt('White / M', 3)],
  [one('NOTEBOOK-A5', 10, 'Ruled / Black'), one('PEN-GEL-10', 4, 'Blue')],
  [shirt('Red / L', 1), shirt('Red / M', 1)],
  [one('CARROM-BOARD', 1, '26 inch')],
  [mugs(6)],
  [one('TIFFIN-3TIER', 2), one('MASALA-BOX', 1)],
  [shirt('Navy / XL', 4)],
  [one('PUZZLE-INDIA-MAP', 3), mugs(2)],
  [one('BLOCKS-WOOD-50', 2)],
];

const DAYS = 30;

/** `PAID` is paid from the wallet; `CANCELLED` too, and then refunded. */
export const [PAID, CANCELLED] = ['DEMO-0992', 'DEMO-0993'];

/** A month of orders, the oldest first: one on each day, and those of the last days by hand. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  ...Array.from({ length: DAYS - 4 }, (_, at) =>
    order(960 + at, (DAYS - at) * 24 + ((at * 7) % 11), 'delivered'),
  ),
  order(987, 70, 'shipped'),
  order(990, 50, 'shipped'),
  order(992, 22, 'awaiting_payment'),
  order(993, 20, 'awaiting_payment'),
  order(995, 9, 'awaiting_payment'),
  order(996, 4, 'awaiting_payment'),
  order(998, 1, 'awaiting_payment'),
];

/** Each with another customer and basket. */
function order(number: number, hoursAgo: number, status: DemoOrder['status']): DemoOrder {
  const digits = String(number).padStart(4, '0');
  const items = BASKETS[(number * 5) % BASKETS.length]!;
  return {
    hoursAgo,
    status,
    tracking: `BD471${digits}`,
    request: { store_order_id: `DEMO-${digits}`, ...PEOPLE[(number * 4) % PEOPLE.length]!, items },
  };
}

function person(name: string, address: string, city: string, state: string, pincode: string) {
  return {
    customer: { name, phone: '+91 98765 43210' },
    shipping: { address, city, state, pincode, country: 'India' },
  };
}

function one(sku: string, quantity: number, variation?: string) {
  return { sku, quantity, ...(variation !== undefined && { variation }) };
}

function shirt(variation: string, quantity: number) {
  return one('TSHIRT-CLASSIC', quantity, variation);
}

function mugs(quantity: number) {
  return one('MUG-350', quantity);
}
