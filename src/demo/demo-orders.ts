export type DemoOrderState = 'waiting' | 'paid' | 'shipped' | 'delivered' | 'refunded' | 'expired';

export interface DemoOrder {
  /** The store's own id. */
  id: string;
  hoursAgo: number;
  state: DemoOrderState;
  customer: { name: string; phone: string };
  shipping: { address: string; city: string; state: string; pincode: string; country: string };
  items: { sku: string; quantity: number; variation?: string }[];
  tracking: string;
}

const RAVI = person('Ravi Kumar', '12, MG Road', 'Bengaluru', 'Karnataka', '560038');
const MEERA = person('Meera Nair', '4, Marine Drive', 'Kochi', 'Kerala', '682031');
const FARHAN = person('Farhan Ali', '88, Banjara Hills', 'Hyderabad', 'Telangana', '500034');
const LAKSHMI = person('Lakshmi Iyer', '23, Besant Nagar', 'Chennai', 'Tamil Nadu', '600090');
const ARJUN = person('Arjun Singh', '7, C-Scheme', 'Jaipur', 'Rajasthan', '302001');

const PEOPLE = [
  RAVI,
  person('Sneha Patil', '31, FC Road', 'Pune', 'Maharashtra', '411004'),
  LAKSHMI,
  person('Imran Shaikh', '9, Relief Road', 'Ahmedabad', 'Gujarat', '380001'),
  MEERA,
  person('Debjani Roy', '52, Lake Gardens', 'Kolkata', 'West Bengal', '700045'),
  ARJUN,
  person('Harpreet Kaur', '18, Mall Road', 'Amritsar', 'Punjab', '143001'),
  FARHAN,
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

const OLDER = 46;
const FIRST_DAYS_AGO = 55;

/** One order on most days, at changing hours, each with another customer and basket. */
const OLDER_ORDERS = Array.from({ length: OLDER }, (_, index): DemoOrder => {
  const daysAgo = FIRST_DAYS_AGO - Math.floor((index * (FIRST_DAYS_AGO - 7)) / OLDER);
  const state = index % 17 === 11 ? 'refunded' : index % 19 === 7 ? 'expired' : 'delivered';
  return {
    ...order(980 - OLDER + index, daysAgo * 24 + ((index * 7) % 11), state),
    ...PEOPLE[(index * 4) % PEOPLE.length]!,
    items: BASKETS[(index * 5) % BASKETS.length]!,
  };
});

/** The oldest first. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  ...OLDER_ORDERS,
  { ...order(981, 150, 'delivered'), ...LAKSHMI, items: [shirt('Navy / M', 2)] },
  { ...order(984, 128, 'refunded'), ...ARJUN, items: [shirt('White / L', 1)] },
  { ...order(986, 112, 'expired'), ...FARHAN, items: [shirt('Red / S', 1)] },
  { ...order(987, 70, 'shipped'), ...RAVI, items: [shirt('Red / L', 3)] },
  { ...order(990, 50, 'shipped'), ...MEERA, items: [shirt('Navy / L', 1)] },
  { ...order(992, 22, 'paid'), ...ARJUN, items: [mugs(4)] },
  { ...order(995, 9, 'waiting'), ...FARHAN, items: [mugs(2), shirt('White / M', 2)] },
  { ...order(996, 4, 'waiting'), ...MEERA, items: [shirt('Navy / XL', 5)] },
  { ...order(998, 1, 'waiting'), ...LAKSHMI, items: [mugs(6)] },
];

function order(number: number, hoursAgo: number, state: DemoOrderState) {
  const digits = String(number).padStart(4, '0');
  return { id: `DEMO-${digits}`, hoursAgo, state, tracking: `BD471${digits}` };
}

function person(name: string, address: string, city: string, state: string, pincode: string) {
  return {
    customer: { name, phone: '+91 98765 43210' },
    shipping: { address, city, state, pincode, country: 'India' },
  };
}

function one(sku: string, quantity: number, variation?: string) {
  return { sku, quantity, variation };
}

function shirt(variation: string, quantity: number) {
  return one('TSHIRT-CLASSIC', quantity, variation);
}

function mugs(quantity: number) {
  return one('MUG-350', quantity);
}
