#!/usr/bin/env node
import { runProgram } from './programs/run.js';

runProgram('cli');
