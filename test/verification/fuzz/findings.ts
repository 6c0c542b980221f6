// What schemathesis found, read from what it prints, and what of it is known and stays.

/** A difference between the OpenAPI document and what was answered. */
export interface Finding {
  /** Such as `POST /api/v2/checkout`. */
  readonly operation: string
  /** Its code for the check that failed, such as `ST202`. */
  readonly check: string
  /** All that it says of it, with the request and the answer. */
  readonly text: string
}

interface Known {
  readonly check: string
  is(text: string): boolean
  readonly why: string
}

/** What the document allows and is refused, by the reason that the answer gives. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/request_id \S+ was used with another body/, 'one request id is sent with two bodies'],
  [/text without NUL and without halves of surrogate pairs/, 'such a text cannot be stored, nor sent back'],
  [
    /(must have at most 2 decimals|must be at least \d+\.\d\d)/,
    'a number in JSON schema has no decimals to count',
  ],
  [
    /must be (a day as yyyy-mm-dd|an ISO 8601 date)/,
    'a description says how a day is written; the format is a hint',
  ],
  [/(must be at most \d{4}-\d\d-\d\d: a year at a time|must not (lie|be) before)/, 'a rule between two days'],
  [/must be a phone number with \+/, 'no pattern knows the numbers of each country'],
  [
    /client\.address\.country must be text that matches/,
    'the pattern of the codes of countries is not in the document',
  ],
  [/methods must be a comma list of/, 'a list within a text'],
  [/after must be next of an earlier answer/, 'a cursor that was never given out'],
  [
    /( is required\b|is required, together with|exclude each other|, not both|must be left out of)/,
    'a rule between fields',
  ],
]

const known: readonly Known[] = [
  ...refusals.map(([reason, why]) => ({ check: 'ST202', why, is: (text: string) => reason.test(text) })),
  {
    check: 'ST202',
    why: 'a callback that is not ours is answered as what it is: not verified',
    is: (text) => text.includes('/api/v2/callback/verify'),
  },
  {
    check: 'ST201',
    why: 'a parameter without a value, or with none but commas, is read as absent',
    is: (text) => {
      const [, names = ''] = /Invalid component: parameters? (.+?) in query/.exec(text) ?? []
      const url = /'(http[^']+)'/.exec(text)?.[1] ?? ''
      const parameters = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      const valuesOf = (name: string) => new URL(url).searchParams.getAll(name)
      return (
        parameters.length > 0 && parameters.every((name) => valuesOf(name).every((value) => value === ''))
      )
    },
  },
  {
    check: 'ST201',
    why: 'the header is not looked at where request_id stands in the body, or nothing is made',
    is: (text) => text.includes('parameter `Idempotency-Key` in header'),
  },
  {
    check: 'ST201',
    why: 'a field that is null is read as absent',
    is: (text) => {
      const [, field = ''] = /Invalid component: in body - (\S+): Incorrect type/.exec(text) ?? []
      return field !== '' && text.includes(`"${field}": null`)
    },
  },
  {
    check: 'ST301',
    why: 'a payment link that was closed is still read, with its status',
    is: (text) => /DELETE .*\/api\/v2\/payment_links\//.test(text),
  },
]

/** The findings in what schemathesis prints. */
export function findingsIn(output: string): Finding[] {
  const begin = output.indexOf('= FAILURES =')
  if (begin < 0) return []
  const [failures = ''] = output.slice(begin).split(/^=+ (?:SUMMARY|ERRORS|WARNINGS) =+$/m)
  return failures.split(/^_+ (?=\S)/m).flatMap((part) => {
    const operation = part.split(/ _+$/m)[0] ?? ''
    return part
      .split(/^(?=\d+\. Test Case ID)/m)
      .slice(1)
      .flatMap((text) =>
        [...text.matchAll(/^- (ST\d+) /gm)].map(([, check = '']) => ({ operation, check, text })),
      )
  })
}

/** Why a finding is no mistake; undefined where it is a new one. */
export function whyKnown({ check, text }: Finding): string | undefined {
  return known.find((one) => one.check === check && one.is(text))?.why
}
