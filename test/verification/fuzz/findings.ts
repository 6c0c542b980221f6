// Findings of schemathesis, and the known ones that stay.

export interface Finding {
  readonly operation: string
  readonly check: string
  readonly text: string
}

interface Known {
  readonly check: string
  is(text: string): boolean
  readonly why: string
}

/** Requests that the document allows and the gateway refuses, by the error's text. */
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
  [/after must be next of an earlier answer/, 'a cursor that the gateway never issued'],
  [
    /( is required\b|is required, together with|exclude each other|, not both|must be left out of)/,
    'a rule between fields',
  ],
]

const known: readonly Known[] = [
  ...refusals.map(([reason, why]) => ({ check: 'ST202', why, is: (text: string) => reason.test(text) })),
  {
    check: 'ST202',
    why: 'a callback of another sender gets the answer "not verified"',
    is: (text) => text.includes('/api/v2/callback/verify'),
  },
  {
    check: 'ST201',
    why: 'a parameter without a value, or with commas only, counts as absent',
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
    why: 'the header has no effect with request_id in the body, or if nothing is created',
    is: (text) => text.includes('parameter `Idempotency-Key` in header'),
  },
  {
    check: 'ST201',
    why: 'a null field counts as absent',
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

export function whyKnown({ check, text }: Finding): string | undefined {
  return known.find((one) => one.check === check && one.is(text))?.why
}
