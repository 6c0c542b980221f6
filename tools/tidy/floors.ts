// The floors: imports go strictly down, and a room is entered by its door.
import { posix } from 'node:path'
import { type Finding, isTest, type Tree } from './tree.ts'

/** Where the table of floors stands: what people read is what is checked. */
const tablePath = 'docs/ARCHITECTURE.md'
/** Rooms up to this floor are toolboxes whose files may be imported directly. */
const openFloorMax = 1

/** Files without I/O, which load nothing: the command line is read with them alone, before a room is opened. */
const pureFiles = /\/(?:[\w-]+-)?(rules|model)\.ts$/

/** Every import of `src` against the table of floors, type imports included; tests may enter anywhere. */
export function checkFloors(tree: Tree): Finding[] {
  const floors = readFloors(tree)
  if (floors.size === 0) {
    return [finding(tablePath, 1, 'There is no table of floors.', 'Write rows such as `| 0 | kernel |`.')]
  }
  const roof = Math.max(...floors.values())
  const findings: Finding[] = []
  for (const file of tree.code) {
    if (!file.path.startsWith('src/') || isTest(file.path)) continue
    const room = roomOf(file.path)
    const floor = floors.get(room)
    if (floor === undefined) {
      const mend = `Put it into a room, or add ${room} to the floors in ${tablePath}.`
      findings.push(finding(file.path, 1, `The room ${room} stands on no floor.`, mend))
      continue
    }
    for (const { text, offset } of file.imports) {
      const problem = judge({ from: file.path, room, floor, request: text, floors, roof })
      if (problem) findings.push({ path: file.path, line: file.lineOf(offset), ...problem })
    }
  }
  return findings
}

interface Import {
  readonly from: string
  readonly room: string
  readonly floor: number
  readonly request: string
  readonly floors: ReadonlyMap<string, number>
  readonly roof: number
}

function judge({ from, room, floor, request, floors, roof }: Import) {
  if (!request.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(from), request)
  if (!target.startsWith('src/')) {
    if (target.endsWith('.json')) return undefined
    return {
      wrong: `It imports ${target}, outside src.`,
      mend: 'What src needs lives in src; move it there.',
    }
  }
  const targetRoom = roomOf(target)
  const targetFloor = floors.get(targetRoom)
  if (targetRoom === room || targetFloor === undefined) return undefined
  if (floor === roof && targetFloor === roof) return undefined
  if (targetFloor >= floor) {
    const direction = targetFloor === floor ? 'sideways' : 'upwards'
    return {
      wrong: `${room} (floor ${floor}) imports ${direction} from ${targetRoom} (floor ${targetFloor}).`,
      mend: `Declare a function among the dependencies of ${room} and let src/compose.ts hand it in.`,
    }
  }
  if (floor === roof && pureFiles.test(target)) return undefined
  if (targetFloor > openFloorMax && target !== `src/${targetRoom}/index.ts`) {
    return {
      wrong: `${room} enters ${targetRoom} past its door, by ${target}.`,
      mend: `Import from src/${targetRoom}/index.ts, and export there what is needed.`,
    }
  }
  return undefined
}

function readFloors(tree: Tree): Map<string, number> {
  return floorsIn(tree.texts.find((file) => file.path === tablePath)?.text ?? '')
}

/** The floor of each room, from rows `| floor | room, room |`; links around room names are fine. */
export function floorsIn(text: string): Map<string, number> {
  const floors = new Map<string, number>()
  for (const [, floor, rooms] of text.matchAll(/^\|\s*(\d+)\s*\|([^|]+)\|/gm)) {
    const names = (rooms ?? '').replaceAll(/\]\([^)]*\)|[[`]/g, '').split(',')
    for (const name of names) floors.set(name.trim(), Number(floor))
  }
  return floors
}

/** `src/main.ts` is the room main, `src/cards/vault/seal.ts` lies in the room cards. */
function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}

function finding(path: string, line: number, wrong: string, mend: string): Finding {
  return { path, line, wrong, mend }
}
