// Asks the gateway that runs on a DATA_DIR to run a command.
import { connect } from 'node:net'
import type { CommandResult } from './context.ts'
import { controlSocketPath } from './socket-path.ts'

const absenceCodes = new Set(['ENOENT', 'ECONNREFUSED'])

/** The gateway's answer, or undefined when no gateway listens there; rejects when `signal` is aborted before it came. */
export async function askGateway(
  dataDir: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandResult | undefined> {
  const path = await controlSocketPath(dataDir)
  return new Promise((resolve, reject) => {
    const socket = connect({ path, ...(signal && { signal }) })
    let answer = ''
    socket.setEncoding('utf8')
    socket.once('connect', () => socket.end(`${JSON.stringify({ args })}\n`))
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (absenceCodes.has(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
    socket.once('close', () => {
      if (answer.endsWith('\n')) resolve(JSON.parse(answer) as CommandResult)
      else
        reject(new Error('the gateway ended before it answered; whether the command took effect is unknown'))
    })
  })
}
