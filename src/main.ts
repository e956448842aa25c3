#!/usr/bin/env node
import { runProgram } from './server/programs/run.js';

runProgram('main');
