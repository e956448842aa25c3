import { Product } from './catalog/product.entity.js';
import { Client } from './clients/client.entity.js';
import { Subscription } from './clients/subscription.entity.js';
import { TokenUse } from './clients/token-use.entity.js';
import { Token } from './clients/token.entity.js';
import { OrderItem } from './orders/entities/order-item.entity.js';
import { Order } from './orders/entities/order.entity.js';
import { RefusedOrder } from './orders/entities/refused-order.entity.js';
import { StoreOrderId } from './orders/entities/store-order-id.entity.js';
import { TimelineEntry } from './orders/entities/timeline-entry.entity.js';
import { PlanPrice } from './plans/plan-price.entity.js';
import { Plan } from './plans/plan.entity.js';
import { StockItem } from './stock/stock-item.entity.js';
import { StockMovement } from './stock/stock-movement.entity.js';
import { History } from './database/history.entity.js';
import { Tombstone } from './database/tombstone.entity.js';

export const ENTITIES = [
  Client,
  History,
  Order,
  OrderItem,
  Plan,
  PlanPrice,
  Product,
  RefusedOrder,
  StockItem,
  StockMovement,
  StoreOrderId,
  Subscription,
  TimelineEntry,
  Token,
  TokenUse,
  Tombstone,
];
