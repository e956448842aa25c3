// Reads the row of a poll with plain pg: one prepared SELECT, without a mapper.
import { rowReader } from './selects.js';
import { serveJson } from './serve.js';

serveJson(200, rowReader(process.env.SELECT!));
