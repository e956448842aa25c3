import { runProgram } from './programs/run.js';

runProgram('worker');
