// The control socket in DATA_DIR, through which a running gateway executes commands.
import { chmod, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { flow } from '../kernel/crash-points.ts'
import { misused } from './commands/answers.ts'
import { loadCardNumbers } from './commands/command.ts'
import type { CommandResult } from './context.ts'
import { controlSocketPath } from './control-client.ts'

const requestBytesMax = 64 * 1024
const requestTimeoutMs = 10_000
const connectionsMax = 16
const ownerOnlyMask = 0o177

export interface ControlSocketOptions {
  readonly dataDir: string
  runCommand(args: readonly string[]): Promise<CommandResult>
  /** Gets the error of a command. The caller only gets a general message. */
  onError?(error: unknown): void
}

export interface ControlSocket {
  close(): Promise<void>
}

/** Answers each line `{"args": […]}` with a line `{"json", "text", "exitCode"}`. Throws if another gateway listens. */
export async function serveControlSocket(options: ControlSocketOptions): Promise<ControlSocket> {
  // This is loaded now, because a newer version may replace the files of a running gateway.
  await loadCardNumbers()
  const path = await controlSocketPath(options.dataDir)
  const conversations = new Set<Conversation>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const conversation = converse(socket, options)
    conversations.add(conversation)
    socket.once('close', () => conversations.delete(conversation))
  })
  server.maxConnections = connectionsMax
  await listen(server, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    if (await answers(path)) throw new Error(`another gateway listens on ${path}`)
    await unlink(path)
    await listen(server, path)
  })
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { finish } of conversations) finish()
      }),
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const mask = process.umask(ownerOnlyMask)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(mask)
    }
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}

interface Conversation {
  finish(): void
}

/** Reads line by line. After a wrong request it answers with an error and ends the conversation. */
function converse(socket: Socket, options: ControlSocketOptions): Conversation {
  let unread = ''
  let busy = false
  let lastAsked = false
  let deadline = waitForRequest()

  socket.setEncoding('utf8')
  socket.on('error', () => socket.destroy())
  socket.on('close', () => clearTimeout(deadline))
  socket.on('end', finish)
  socket.on('data', (text: string) => {
    unread += text
    if (unread.length > requestBytesMax) refuse(`a request has at most ${requestBytesMax} bytes`)
    else void answerNext()
  })

  function waitForRequest(): NodeJS.Timeout {
    return setTimeout(() => socket.destroy(), requestTimeoutMs)
  }

  function finish(): void {
    lastAsked = true
    void answerNext()
  }

  function refuse(reason: string): void {
    unread = ''
    lastAsked = true
    socket.removeAllListeners('data')
    socket.resume()
    socket.end(`${JSON.stringify(misused(reason))}\n`)
  }

  async function answerNext(): Promise<void> {
    if (busy) return
    const end = unread.indexOf('\n')
    if (end === -1) {
      if (lastAsked) socket.end()
      return
    }
    const args = argsOf(unread.slice(0, end))
    unread = unread.slice(end + 1)
    if (args === undefined) return refuse('a request is a line of JSON: {"args": ["merchant", "list"]}')
    busy = true
    clearTimeout(deadline)
    const result = await answerTo(args, options)
    if (socket.destroyed) return
    deadline = waitForRequest()
    busy = false
    socket.write(`${JSON.stringify(result)}\n`)
    await answerNext()
  }

  return { finish }
}

async function answerTo(args: readonly string[], options: ControlSocketOptions): Promise<CommandResult> {
  try {
    return await flow(() => options.runCommand(args))
  } catch (error) {
    options.onError?.(error)
    const reason = `the command failed: ${(error as Error).message}`
    return { json: { error: { kind: 'failed', reason } }, text: reason, exitCode: 1 }
  }
}

function argsOf(line: string): readonly string[] | undefined {
  try {
    const { args } = JSON.parse(line) as { args?: unknown }
    return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? args : undefined
  } catch {
    return undefined
  }
}
