// Strange and hostile values for every part of a request.
import fc from 'fast-check'

/** JSON text in a form that `JSON.stringify` does not write. */
export interface RawJson {
  readonly rawJson: string
}

/** If a page contains this text unchanged, it does not escape its input. */
export const mark = '<fuzzmark>'
/** If the head of an answer contains this line, its input could add a header. */
export const injectedHeader = 'x-fuzz-injected'

const texts = [
  ...['', ' ', '\t\n', '0', '-1', 'null', 'undefined', 'true', 'NaN', '[object Object]', 'constructor'],
  ...[
    '__proto__',
    'toString',
    'hasOwnProperty',
    '../../../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%ff',
    '%',
  ],
  ...[
    "' or 1=1 --",
    ["'", 'drop table operations', '--'].join('; '),
    '$1',
    '%s%n',
    '{{7*7}}',
    '#{7*7}',
    '<%= 7*7 %>',
    '\\',
    "\\'",
  ],
  ...[
    `"'>${mark}`,
    `</script>${mark}`,
    `javascript:alert(1)//${mark}`,
    `x\r\n${injectedHeader}: 1\r\n\r\n${mark}`,
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u2066',
    '\ufeff',
    '\u00e9',
    'e\u0301',
    'ﷺ'.repeat(40),
    '👩‍👩‍👧‍👦',
  ],
  ...[
    'ı',
    'İ',
    'ß',
    'ſ',
    '１２３',
    '٣',
    '1e3',
    '1,50',
    '10.005',
    '1e309',
    '0x10',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[
    '2026-02-30',
    '0000-00-00',
    '9999-12-31',
    '-000001-01-01T00:00:00Z',
    '2026-11-23T25:61:61Z',
    '+275760-09-13',
    'P1D',
  ],
  ...[
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    '//evil.example',
    'http://[::1',
    'https://a@b:c@d/',
    'http://\u0000',
  ],
  ...[
    'a@b',
    '"@"@example.com',
    '351#',
    '+351 912 345 678',
    '4176660000000027',
    'PT50000201231234567890154',
    'EUR',
    'eur',
  ],
]

const numbers = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '0.001',
    '0.005',
    '0.1e1',
    '1e2',
    '1E400',
    '-1e400',
    '1e-400',
    '10.10',
    '10.000000000000000001',
  ],
  ...[
    '999999999999',
    '9007199254740993',
    '9223372036854775808',
    '1'.repeat(400),
    `0.${'0'.repeat(400)}1`,
    '2147483648',
  ],
]

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a'.repeat(256), 'é'.repeat(5000), '9'.repeat(30_000), '%41'.repeat(300)),
  },
)

const oddNumber: fc.Arbitrary<RawJson> = fc.constantFrom(...numbers).map((rawJson) => ({ rawJson }))

const deep: fc.Arbitrary<RawJson> = fc
  .tuple(fc.constantFrom(10, 40, 200, 5000), fc.boolean())
  .map(([depth, isArray]) => ({
    rawJson: isArray
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  }))

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { a: 1 }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.array(fc.constant(1), { minLength: 500, maxLength: 2000 }) },
  {
    weight: 1,
    arbitrary: fc.constant<unknown>({
      rawJson: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    }),
  },
)

export const oddBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      'null',
      'true',
      '0',
      '""',
      '[]',
      '[{}]',
      '{',
      '{"a":',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}{"b":2}',
      '\ufeff{}',
    ],
    ...[
      '{"a":1,"a":2}',
      '{"__proto__":{"a":1}}',
      '{"a":"\\ud800"}',
      '{"a":"\u0001"}',
      '{"a":NaN}',
      '{"a":01}',
      '{/*x*/}',
    ],
    ...[
      '['.repeat(30_000),
      `{"a":"${'x'.repeat(70_000)}"}`,
      'a=1&b=2',
      'a[]=1&a[]=2&__proto__[x]=1',
      '%ff=%',
      '&&&=',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
)

export function jsonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if ('rawJson' in value) return String(value.rawJson)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
  return `{${members.join(',')}}`
}
