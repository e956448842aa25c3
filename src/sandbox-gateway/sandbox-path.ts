/** Everything of the sandbox is below it; behind it the paths are Razorpay's. */
export const SANDBOX_PATH = 'sandbox-gateway';
