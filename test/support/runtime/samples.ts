import * as fc from 'fast-check';

// Random tests take the same samples in every run: what fails was changed. SEED=… takes others.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
