import { runProgram } from './server/programs/run.js';

runProgram('main');
