import { runProgram } from './server/programs/run.js';

runProgram('worker');
