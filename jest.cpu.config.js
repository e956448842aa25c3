import base from './jest.config.js';
export default { ...base, runtime: '/tmp/E-lab/cpu-runtime.cjs', reporters: ['default'] };
