// The path of a gateway's control socket, and its client.
import { createHash } from 'node:crypto'
import { lstat, readlink, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { resolve as absolutePath, join } from 'node:path'
import type { CommandResult } from './context.ts'

const socketName = 'control.sock'
/** The smallest limit of a system (macOS) is 104 bytes with the NUL at the end. */
const socketPathBytesMax = 100

/**
 * The socket is always in `dataDir`. If the path is too long, a link in the temporary folder shortens it. The
 * link must belong to this user, because other users can write there too.
 */
export async function controlSocketPath(dataDir: string): Promise<string> {
  const folder = absolutePath(dataDir)
  const direct = join(folder, socketName)
  if (Buffer.byteLength(direct) <= socketPathBytesMax) return direct
  const link = join(tmpdir(), `comporta-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  await symlink(folder, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const { uid } = await lstat(link)
  if (uid !== process.getuid?.() || (await readlink(link)) !== folder) {
    throw new Error(`${link} belongs to someone else: remove it, or use a shorter DATA_DIR`)
  }
  return join(link, socketName)
}

const absenceCodes = new Set(['ENOENT', 'ECONNREFUSED'])

/** The gateway's answer. Undefined if no gateway listens. Rejects if `signal` is aborted. */
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
