// A remote command in the process of the test.
import { runCli } from '../../src/cli/run.ts'

export interface Ended {
  readonly code: number
  /** Standard output. */
  readonly text: string
  readonly said: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as a script reads them
  readonly json: any
}

/** Runs `comporta <args> --json`, or without it where `args` end with `--text`. */
export async function runHere(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const asText = args.at(-1) === '--text'
  let text = ''
  let said = ''
  const unused = () => {
    throw new Error('this command opens no database')
  }
  const code = await runCli([...args.filter((arg) => arg !== '--text'), ...(asText ? [] : ['--json'])], {
    env,
    loadConfig: unused,
    openContext: unused,
    serve: unused,
    out: (line) => {
      text += `${line}\n`
    },
    err: (line) => {
      said += `${line}\n`
    },
    untilStopped: () => new AbortController().signal,
  })
  return {
    code,
    text,
    said,
    get json() {
      return JSON.parse(text)
    },
  }
}
