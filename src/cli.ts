#!/usr/bin/env node
import { run } from './programs/run.js';

run('cli');
