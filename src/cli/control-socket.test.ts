// The control socket of a gateway.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandResult } from './context.ts'
import { askGateway, controlSocketPath } from './control-client.ts'
import { type ControlSocket, serveControlSocket } from './control-socket.ts'

let dataDir: string
let errors: unknown[]
const open: { close(): Promise<void> | void }[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'comporta-socket-'))
  errors = []
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
  await rm(dataDir, { recursive: true, force: true })
})

const echo = async (args: readonly string[]): Promise<CommandResult> => ({
  json: { args },
  text: args.join(' '),
  exitCode: 0,
})

async function serve(runCommand = echo, folder = dataDir): Promise<ControlSocket> {
  const socket = await serveControlSocket({
    dataDir: folder,
    runCommand,
    onError: (error) => errors.push(error),
  })
  open.push(socket)
  return socket
}

async function dial(): Promise<Socket> {
  const socket = connect(await controlSocketPath(dataDir))
  open.push({ close: () => void socket.destroy() })
  await once(socket, 'connect')
  return socket
}

async function said(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}

describe('the control socket', () => {
  it('answers each client its own commands', async () => {
    await serve()
    const answers = await Promise.all(['a', 'b', 'ç\n"'].map((word) => askGateway(dataDir, ['say', word])))
    expect(answers).toEqual(
      ['a', 'b', 'ç\n"'].map((word) => expect.objectContaining({ text: `say ${word}`, exitCode: 0 })),
    )
  })

  it('can be opened by its owner only, and is removed when closed', async () => {
    const socket = await serve()
    const { mode } = await stat(join(dataDir, 'control.sock'))
    expect(mode & 0o777).toBe(0o600)
    await socket.close()
    expect(await readdir(dataDir)).toEqual([])
    expect(await askGateway(dataDir, ['x'])).toBeUndefined()
  })

  it('replaces the socket of a killed gateway, never of a running one', async () => {
    const path = await controlSocketPath(dataDir)
    const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', program])
    await once(child.stdout, 'data')
    await expect(serve()).rejects.toThrow('another gateway listens')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(dataDir)).toEqual(['control.sock'])
    expect(await askGateway(dataDir, ['x'])).toBeUndefined()
    await serve()
    expect(await askGateway(dataDir, ['x'])).toMatchObject({ text: 'x' })
  })

  it.each([
    ['text that is not JSON', 'GET / HTTP/1.1\r\n\r\n'],
    ['other JSON', '{"command": "audit"}\n'],
    ['args of another kind', '{"args": [1]}\n'],
    ['null', 'null\n'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
    ['a line without end', '{"args": ['.padEnd(70_000, 'x')],
  ])('answers %s with an error and closes the connection', async (_, garbage) => {
    await serve()
    const socket = await dial()
    socket.write(garbage)
    expect(JSON.parse(await said(socket))).toMatchObject({
      exitCode: 2,
      text: expect.stringMatching(/^a request/),
    })
    expect(await askGateway(dataDir, ['still', 'there'])).toMatchObject({ text: 'still there' })
    expect(errors).toEqual([])
  })

  it('serves other clients while one is slow, and answers lines in order', async () => {
    await serve()
    const slow = await dial()
    slow.write('{"args"')
    expect(await askGateway(dataDir, ['quick'])).toMatchObject({ text: 'quick' })
    slow.end(': ["first"]}\n{"args": ["second"]}\n')
    const lines = (await said(slow)).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['first', 'second'])
  })

  it('survives clients that disconnect before their answer', async () => {
    await serve(async (args) => {
      await wait(30)
      return echo(args)
    })
    const socket = await dial()
    socket.write('{"args": ["x"]}\n')
    await wait(5)
    socket.destroy()
    await wait(50)
    expect(await askGateway(dataDir, ['y'])).toMatchObject({ text: 'y' })
  })

  it('reports a failed command to the client, and the error to its own log', async () => {
    await serve(async () => {
      throw new Error('the disk is full')
    })
    expect(await askGateway(dataDir, ['x'])).toMatchObject({
      exitCode: 1,
      text: 'the command failed: the disk is full',
    })
    expect(errors).toHaveLength(1)
  })

  it('finishes running commands before it closes, without waiting for idle clients', async () => {
    const socket = await serve(async (args) => {
      await wait(50)
      return echo(args)
    })
    await dial()
    const asked = askGateway(dataDir, ['last'])
    await wait(20)
    await socket.close()
    expect(await asked).toMatchObject({ text: 'last' })
  })

  it('reports an unknown outcome when the gateway ends without an answer', async () => {
    const path = await controlSocketPath(dataDir)
    const program = `require('node:net').createServer((s) => s.once('data', () => process.kill(process.pid, 'SIGKILL'))).listen(${JSON.stringify(path)}, () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', program])
    await once(child.stdout, 'data')
    await expect(askGateway(dataDir, ['x'])).rejects.toThrow('unknown')
  })
})

describe('a DATA_DIR with a long path', () => {
  const long = () => join(dataDir, 'x'.repeat(120))

  it('is reached through a short link', async () => {
    await mkdir(long())
    const path = await controlSocketPath(long())
    expect(path.length).toBeLessThan(100)
    await serve(echo, long())
    expect(await readdir(long())).toEqual(['control.sock'])
    expect(await askGateway(long(), ['x'])).toMatchObject({ text: 'x' })
    await rm(join(path, '..'))
  })

  it('is not reached through a link to another folder', async () => {
    await mkdir(long())
    const link = join(await controlSocketPath(long()), '..')
    await rm(link)
    await symlink(dataDir, link)
    await expect(controlSocketPath(long())).rejects.toThrow('belongs to someone else')
    await rm(link)
  })
})
