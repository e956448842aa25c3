export { accept } from './accept.js';
export { receive } from './receive.js';
export { refund } from './refund.js';
export { refuse } from './refuse.js';
