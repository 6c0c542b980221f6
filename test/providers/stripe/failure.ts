// Stripe's refusals: https://docs.stripe.com/api/errors.

export class StripeFailure extends Error {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>

  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    super(String(error.code))
    this.status = status
    this.error = error
  }

  /** A failed validation is not stored under its idempotency key. */
  get isKept(): boolean {
    return !/^(parameter_|resource_missing|idempotency_)/.test(String(this.error.code))
  }
}

export function invalid(code: string, param?: string): StripeFailure {
  return new StripeFailure(code === 'resource_missing' ? 404 : 400, {
    type: 'invalid_request_error',
    message: `${code} ${param ?? ''}`,
    ...(code !== '' && { code }),
    ...(param !== undefined && { param }),
  })
}
