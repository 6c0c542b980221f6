// How the driver derives changes of a mandate from SPG's answers.
import { describe, expect, it } from 'vitest'
import type { NotedChange } from '../requests.ts'
import { changesWith, type SeenMandate } from './mandate-rules.ts'

const terms = { limit: '5000', expiryDate: '2030-12-31' }
const more = { limit: '9000', expiryDate: '2031-01-31' }
const seen = (status: string, { limit, expiryDate } = terms): SeenMandate => ({
  ...{ status, limit: BigInt(limit), expiryDate },
})
const gone: SeenMandate = { status: 'unknown', limit: undefined, expiryDate: undefined }
const approved: NotedChange = { version: 1, kind: 'approved', ...terms } as NotedChange
const suspended: NotedChange = { version: 2, kind: 'suspended' }
const inTime = { isOver: false, isRefused: false }
const over = { ...inTime, isOver: true }
const refused = { ...inTime, isRefused: true }

describe('an inquiry about a mandate', () => {
  it.each<[string, NotedChange[], SeenMandate, typeof inTime, object[]]>([
    ['shows that it was approved', [], seen('ACTV'), inTime, [{ kind: 'approved', ...terms }]],
    [
      'shows approval and suspension',
      [],
      seen('SSPN'),
      inTime,
      [{ kind: 'approved', ...terms }, { kind: 'suspended' }],
    ],
    ['shows nothing while the customer can answer', [], gone, inTime, []],
    ['shows that the time is over', [], gone, over, [{ kind: 'expired' }]],
    ['shows that it was refused', [], gone, refused, [{ kind: 'refused' }]],
    ['shows nothing new', [approved], seen('ACTV'), over, []],
    ['shows new terms', [approved], seen('ACTV', more), over, [{ kind: 'updated', ...more }]],
    ['shows a suspension', [approved], seen('SSPN'), over, [{ kind: 'suspended' }]],
    [
      'with new terms',
      [approved],
      seen('SSPN', more),
      over,
      [{ kind: 'updated', ...more }, { kind: 'suspended' }],
    ],
    ['shows that it was resumed', [approved, suspended], seen('ACTV'), over, [{ kind: 'resumed' }]],
    ['shows that it was cancelled', [approved], seen('CNCL'), over, [{ kind: 'cancelled' }]],
    ['shows its end', [approved, suspended], seen('EXPR'), over, [{ kind: 'expired' }]],
    ['ignores that SPG does not know it any more', [approved], gone, over, []],
    ['ignores an unknown status', [approved], seen('TRNS'), over, []],
    ['without terms is not an approval', [], { ...gone, status: 'ACTV' }, inTime, []],
    ['changes nothing after the end', [{ version: 1, kind: 'expired' }], seen('ACTV'), over, []],
  ])('%s', (_, before, look, context, added) => {
    const numbered = added.map((change, n) => ({ version: before.length + n + 1, ...change }))
    expect(changesWith(before, look, context)).toEqual([...before, ...numbered])
  })
})
