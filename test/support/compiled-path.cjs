'use strict';
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../..');
const KEPT = path.join(ROOT, 'node_modules/.cache/compiled');

/** Where a source lies compiled; its map lies beside that. */
exports.compiledPath = (filename) => path.join(KEPT, `${path.relative(ROOT, filename)}.js`);
