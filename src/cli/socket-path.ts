// Where the control socket of a DATA_DIR is reached, also when the folder's own path is too long for a socket.
import { createHash } from 'node:crypto'
import { lstat, readlink, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const socketName = 'control.sock'
/** The smallest limit of the systems we run on is 104 bytes with the closing NUL (macOS). */
const socketPathBytesMax = 100

/**
 * The address to listen on or to connect to. The socket is always in `dataDir`; when that path is too long,
 * the address leads there through a short link in the temporary folder, which must be this user's own:
 * anyone may write there, and no other user may receive our commands.
 */
export async function controlSocketPath(dataDir: string): Promise<string> {
  const folder = resolve(dataDir)
  const direct = join(folder, socketName)
  if (Buffer.byteLength(direct) <= socketPathBytesMax) return direct
  const link = join(tmpdir(), `comporta-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  await symlink(folder, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const { uid } = await lstat(link)
  if (uid !== process.getuid?.() || (await readlink(link)) !== folder) {
    throw new Error(`${link} is not ours: remove it, or use a shorter DATA_DIR`)
  }
  return join(link, socketName)
}
