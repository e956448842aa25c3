export const SIGN_IN = '/dashboard/sign-in';
export const CODE = '/dashboard/sign-in/code';
