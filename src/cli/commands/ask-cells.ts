// Runs a command in every cell of a list.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { readCellNumber } from '../../cells/rules.ts'
import { minute, second } from '../../kernel/time.ts'
import { UsageError } from './command.ts'

export interface CellPlace {
  readonly number: number
  /** A command of a shell that runs comporta in this cell, such as `ssh gateway-1 comporta`. */
  readonly command: string
}

export interface Asked {
  readonly number: number
  /** The JSON that the cell printed. Undefined if it did not answer. */
  readonly answer?: unknown
  readonly error?: string
  readonly exitCode: number
}

/** `comporta cell` reads one row. */
const numberMsMax = 30 * second
/** An audit reads every row. */
const answerMsMax = 60 * minute

/** Throws {@link UsageError}. */
export async function readCellsFile(file: string): Promise<CellPlace[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`the list of cells cannot be read: ${error.message}`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const places = lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return []
    const [, digits = '', command = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? []
    const number = readCellNumber(digits)
    if (Number.isNaN(number))
      throw new UsageError(`line ${index + 1} of ${file} must be the number of a cell and a command`)
    return [{ number, command }]
  })
  const numbers = places.map(({ number }) => number)
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined) throw new UsageError(`${file} has cell ${twice} twice`)
  if (places.length === 0) throw new UsageError(`${file} must have a line for each cell`)
  return places
}

/** Asks all at once. A cell that answers as another one counts as missing, so that nothing is counted twice. */
export function askCells(
  places: readonly CellPlace[],
  args: readonly string[],
  stopped: AbortSignal,
): Promise<Asked[]> {
  return Promise.all(places.map((place) => askCell(place, args, stopped)))
}

async function askCell(
  { number, command }: CellPlace,
  args: readonly string[],
  stopped: AbortSignal,
): Promise<Asked> {
  const missing = (error: string): Asked => ({ number, error, exitCode: 1 })
  const named = await run(command, ['cell', '--json'], numberMsMax, stopped)
  const { number: own } = (named.json ?? {}) as { number?: number }
  if (own === undefined) return missing(named.reason)
  if (own !== number) return missing(`its command answers as cell ${own}`)
  const { json, reason, exitCode } = await run(command, [...args, '--json'], answerMsMax, stopped)
  if (json === undefined || 'error' in json) return missing(reason)
  return { number, answer: json, exitCode }
}

interface Ended {
  readonly json: object | undefined
  readonly reason: string
  readonly exitCode: number
}

function run(command: string, args: readonly string[], msMax: number, stopped: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    // A group of its own, so that the end of the shell ends its programs too.
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err, ended] = ['', '', '']
    const end = (why: string) => {
      ended = why
      child.stdout.destroy()
      child.stderr.destroy()
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The shell has ended, and a program that it left behind kept the pipe open.
      }
    }
    const timer = setTimeout(() => end(`no answer within ${msMax / second} seconds`), msMax)
    const onStop = () => end('stopped')
    stopped.addEventListener('abort', onStop, { once: true })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('error', (error) => {
      err += error.message
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', onStop)
      const json = parsed(out)
      const refusal = (json as { error?: { reason?: string } } | undefined)?.error?.reason
      const [firstLine = ''] = err.trim().split('\n')
      const reason = [ended, refusal ?? '', firstLine].find((text) => text !== '')
      resolve({ json, reason: reason ?? `its command ended with ${code}`, exitCode: code ?? 1 })
    })
  })
}

function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}
