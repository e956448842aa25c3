/** Why the sandbox does not do something, told as Razorpay would. */
export class Refusal extends Error {
  constructor(
    readonly description: string,
    readonly field: string | null = null,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

export function unknownId(): Refusal {
  return new Refusal('The id provided does not exist');
}
