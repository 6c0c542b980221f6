// Writes pairs of effects without a crash point into the file EFFECT_GAPS. Load it with `node --import`.
import { appendFileSync } from 'node:fs'
import { isExplained } from './explained.ts'
import { recordGaps } from './recorder.ts'

recordGaps((gap) => {
  if (!isExplained(gap)) appendFileSync(process.env.EFFECT_GAPS ?? '', `${JSON.stringify(gap)}\n`)
})
