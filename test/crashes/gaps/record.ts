// Loaded into a gateway (`node --import`): appends each gap that nothing explains to the file that EFFECT_GAPS names.
import { appendFileSync } from 'node:fs'
import { isExplained } from './explained.ts'
import { recordGaps } from './recorder.ts'

recordGaps((gap) => {
  if (!isExplained(gap)) appendFileSync(process.env.EFFECT_GAPS ?? '', `${JSON.stringify(gap)}\n`)
})
