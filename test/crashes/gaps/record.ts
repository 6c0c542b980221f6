// Recorder of unexplained gaps (`node --import`), into the file EFFECT_GAPS.
import { appendFileSync } from 'node:fs'
import { isExplained } from './explained.ts'
import { recordGaps } from './recorder.ts'

recordGaps((gap) => {
  if (!isExplained(gap)) appendFileSync(process.env.EFFECT_GAPS ?? '', `${JSON.stringify(gap)}\n`)
})
