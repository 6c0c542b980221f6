// JSON with whole numbers of any size, for the test driver.

export function encode(value: unknown): string {
  return JSON.stringify({ value }, (_, one) => (typeof one === 'bigint' ? { $bigint: String(one) } : one))
}

export function decode(text: string): unknown {
  const { value } = JSON.parse(text, (_, one) =>
    typeof one?.$bigint === 'string' ? BigInt(one.$bigint) : one,
  ) as { value?: unknown }
  return value
}
