import { supervise } from './supervise.js';

/** The supervisor's process: `node supervisor.js DATA_DIR`. */
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('Usage: supervisor.js DATA_DIR');
await supervise(dataDir);
