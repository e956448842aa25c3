'use strict';
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../..');
const KEPT = path.join(ROOT, 'node_modules/.cache/compiled');

/** Returns the path of the compiled source. Its source map is beside it. */
exports.compiledPath = (filename) => path.join(KEPT, `${path.relative(ROOT, filename)}.js`);
