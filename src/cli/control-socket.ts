// The gateway's control socket, for commands: in DATA_DIR, and only its owner can open it.

import { chmod, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { flow } from '../kernel/crash-points.ts'
import { misused } from './commands/answers.ts'
import { loadCardNumbers } from './commands/command.ts'
import type { CommandResult } from './context.ts'
import { controlSocketPath } from './socket-path.ts'

const requestBytesMax = 64 * 1024
/** A client without a request for this long is disconnected. */
const requestTimeoutMs = 10_000
const connectionsMax = 16
const ownerOnlyMask = 0o177

export interface ControlSocketOptions {
  readonly dataDir: string
  runCommand(args: readonly string[]): Promise<CommandResult>
  /** Gets the error of a command; its caller gets a general message. */
  onError?(error: unknown): void
}

export interface ControlSocket {
  /** Stops listening, lets commands under way finish, and removes the socket. */
  close(): Promise<void>
}

/**
 * Listens for lines of JSON `{"args": […]}`, answering each with a line `{"json", "text", "exitCode"}`.
 * A socket file left behind by a killed gateway is replaced; one that still answers is an error.
 */
export async function serveControlSocket(options: ControlSocketOptions): Promise<ControlSocket> {
  // What commands load when they are first used is loaded now: the build of a running gateway may be gone by then.
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

/** The mask makes the file the owner's from its first moment; binding happens within the call. */
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
  /** Answers what was asked already, and nothing more. */
  finish(): void
}

/** Reads one line after another; anything that is no request is answered in words and ends the conversation. */
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
