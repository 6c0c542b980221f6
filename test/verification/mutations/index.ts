// Mutation tests: `npm run mutate`, and `--sql` for the guards.
import { parseArgs } from 'node:util'
import { mutateArea } from '../../../tools/mutations/mutate-area.ts'
import { areas } from './areas.ts'
import { tryGuards } from './guards/run.ts'

const { values } = parseArgs({
  options: {
    sql: { type: 'boolean', default: false },
    area: { type: 'string' },
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '2' },
  },
})

const failed = values.sql
  ? await guardsFail(values.only, Number(values.seeds))
  : await areasFail(values.area, values.only)
process.exit(failed ? 1 : process.exitCode)

async function guardsFail(only: string, seeds: number): Promise<boolean> {
  const findings = await tryGuards(only, seeds)
  if (findings.length === 0)
    return nothingIsNamed(
      'guard',
      only,
      'a part of a file or of a guard in test/verification/mutations/guards',
    )
  const unnoticed = findings.filter(({ noticedBy }) => noticedBy === undefined)
  console.log(`${findings.length} guards, ${findings.length - unnoticed.length} noticed`)
  return unnoticed.some(({ unnoticed: why }) => why === undefined)
}

async function areasFail(wanted: string | undefined, only: string): Promise<boolean> {
  const names = areas.map(({ name }) => name)
  if (wanted !== undefined && !names.includes(wanted))
    return nothingIsNamed('area', wanted, `one of ${names.join(', ')}`)
  for (const area of areas.filter(({ name }) => wanted === undefined || name === wanted)) {
    console.log(`${area.name}: at least ${area.scoreMin}%`)
    await mutateArea(area, only)
  }
  return false
}

function nothingIsNamed(what: string, name: string, right: string): true {
  console.error(`there is no ${what} "${name}": it must be ${right}`)
  return true
}
