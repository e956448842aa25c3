import { run } from './programs/run.js';

run('main');
