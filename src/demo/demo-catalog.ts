import { apparel } from './products/apparel.js';
import { beauty } from './products/beauty.js';
import { electronics } from './products/electronics.js';
import { footwear } from './products/footwear.js';
import { homeAndKitchen } from './products/home-and-kitchen.js';
import { stationery } from './products/stationery.js';
import { toys } from './products/toys.js';
import type { DemoProduct } from './demo-product.js';

/** The catalog of a small wholesaler: enough to try every call by hand, sold-out and inactive products included. */
export const demoCatalog: DemoProduct[] = [
  ...apparel,
  ...footwear,
  ...homeAndKitchen,
  ...electronics,
  ...beauty,
  ...stationery,
  ...toys,
];
