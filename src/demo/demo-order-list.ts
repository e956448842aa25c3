/** What becomes of an order of the demo. */
export type Fate = 'waiting' | 'paid' | 'shipped' | 'delivered' | 'refunded' | 'expired';

export interface DemoOrder {
  /** The store's own id, by which it is placed once. */
  id: string;
  fate: Fate;
  customer: { name: string; phone: string };
  shipping: { address: string; city: string; state: string; pincode: string; country: string };
  items: { sku: string; quantity: number; variation?: string }[];
  tracking?: string;
}

const RAVI = person('Ravi Kumar', '12, MG Road', 'Bengaluru', 'Karnataka', '560038');
const MEERA = person('Meera Nair', '4, Marine Drive', 'Kochi', 'Kerala', '682031');
const FARHAN = person('Farhan Ali', '88, Banjara Hills', 'Hyderabad', 'Telangana', '500034');
const LAKSHMI = person('Lakshmi Iyer', '23, Besant Nagar', 'Chennai', 'Tamil Nadu', '600090');
const ARJUN = person('Arjun Singh', '7, C-Scheme', 'Jaipur', 'Rajasthan', '302001');

/** In the order in which they were placed. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  { id: 'DEMO-0981', fate: 'delivered', ...LAKSHMI, items: [shirt('Navy / M', 2)], tracking: 'BD4711001' },
  { id: 'DEMO-0984', fate: 'refunded', ...ARJUN, items: [shirt('White / L', 1)] },
  { id: 'DEMO-0986', fate: 'expired', ...FARHAN, items: [shirt('Red / S', 1)] },
  { id: 'DEMO-0987', fate: 'shipped', ...RAVI, items: [shirt('Red / L', 3)], tracking: 'BD4711002' },
  { id: 'DEMO-0990', fate: 'shipped', ...MEERA, items: [shirt('Navy / L', 1)], tracking: 'BD4711003' },
  { id: 'DEMO-0992', fate: 'paid', ...ARJUN, items: [mugs(4)] },
  { id: 'DEMO-0995', fate: 'waiting', ...FARHAN, items: [mugs(2), shirt('White / M', 2)] },
  { id: 'DEMO-0996', fate: 'waiting', ...MEERA, items: [shirt('Navy / XL', 5)] },
  { id: 'DEMO-0998', fate: 'waiting', ...LAKSHMI, items: [mugs(6)] },
];

function person(name: string, address: string, city: string, state: string, pincode: string) {
  return {
    customer: { name, phone: '+91 98765 43210' },
    shipping: { address, city, state, pincode, country: 'India' },
  };
}

function shirt(variation: string, quantity: number) {
  return { sku: 'TSHIRT-CLASSIC', variation, quantity };
}

function mugs(quantity: number) {
  return { sku: 'MUG-350', quantity };
}
