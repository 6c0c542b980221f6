// Findings in schemathesis's output, known or new.
import { expect, it } from 'vitest'
import { findingsIn, whyKnown } from './findings.ts'

const reason = (text: string) => `[400] Bad Request:\n\n    \`{"code":10002,"reason":"${text}"}\``
const output = `
=================================== FAILURES ===================================
__________________________ POST /api/v2/mb/reference ___________________________
1. Test Case ID: aaaaaa

- ST202 Schema-valid request rejected

${reason('max_amount must have at most 2 decimals')}

2. Test Case ID: bbbbbb

- ST202 Schema-valid request rejected

- ST103 Undocumented HTTP status code

${reason('entity must be 11249')}
__________________________ GET /api/v2/authorizations __________________________
1. Test Case ID: cccccc

- ST201 Schema-violating request accepted

    Invalid component: parameter \`startdate\` in query - startdate: Value not matching the 'date' format

    curl -X GET 'http://127.0.0.1:1/api/v2/authorizations?startdate='
2. Test Case ID: dddddd

- ST201 Schema-violating request accepted

    Invalid component: parameter \`startdate\` in query - startdate: Value not matching the 'date' format

    curl -X GET 'http://127.0.0.1:1/api/v2/authorizations?startdate=soon'
________________________________ Stateful tests ________________________________
1. Test Case ID: eeeeee

- ST301 Deleted resource still available

    DELETE /api/v2/payment_links/1 -> 200
=================================== SUMMARY ====================================
__________________________________ not one of them __________________________________
`

it('each finding has its operation and check, and is known or new by its text', () => {
  const read = findingsIn(output).map((finding) => [
    finding.operation,
    finding.check,
    whyKnown(finding) !== undefined,
  ])
  expect(read).toEqual([
    ['POST /api/v2/mb/reference', 'ST202', true],
    ['POST /api/v2/mb/reference', 'ST202', false],
    ['POST /api/v2/mb/reference', 'ST103', false],
    ['GET /api/v2/authorizations', 'ST201', true],
    ['GET /api/v2/authorizations', 'ST201', false],
    ['Stateful tests', 'ST301', true],
  ])
})

it('a run without failures has no findings', () => {
  expect(findingsIn('== SUMMARY ==\nTest cases: 9506 generated')).toEqual([])
})
