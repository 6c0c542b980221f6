// The master key file: generation and clear refusals.
import fs from 'node:fs'
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemRandomness } from '../../kernel/random.ts'
import type { Result } from '../../kernel/result.ts'
import { open, seal } from '../../kernel/sealing.ts'
import { loadKeyring } from './keyring.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comporta-keyring-'))
})
afterAll(() => rm(folder, { recursive: true }))

const load = (path: string, generate = false) => loadKeyring(path, { generate, random: systemRandomness })
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

describe('a generated keyring', () => {
  it('is created once, for its owner only, even if several processes start at once', async () => {
    const path = join(folder, 'new', 'master.key')
    const loaded = await Promise.all(Array.from({ length: 8 }, () => load(path, true)))
    const [first, ...others] = loaded.map((one) => unwrapped(one).keys)
    expect([...(first?.keys() ?? [])]).toEqual([1])
    for (const other of others) expect(other).toEqual(first)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(unwrapped(await load(path)).keys).toEqual(first)
  })

  it('is not created without a request', async () => {
    expect(await load(join(folder, 'absent'))).toMatchObject({
      ok: false,
      refusal: expect.stringMatching(/cannot be read/),
    })
  })
})

describe('a keyring file', () => {
  it('holds several versions, the highest current', async () => {
    const path = await fileWith(`# rotated in May\n1 ${key(1)}\n\n3 ${key(3)}\n2 ${key(2)}\n`)
    const loaded = await load(path)
    expect(loaded).toMatchObject({ ok: true, value: { current: 3 } })
    expect(loaded.ok && [...loaded.value.keys.keys()].sort()).toEqual([1, 2, 3])
  })

  it.each([
    ['no keys', '', /must keep the key of version 1/],
    ['the first version dropped', `2 ${key(2)}`, /must keep the key of version 1/],
    ['a version twice', `1 ${key(1)}\n1 ${key(2)}`, /line 2 repeats version 1/],
    ['a short key', `1 ${Buffer.alloc(31).toString('base64')}`, /line 1 must hold a key of exactly 32 bytes/],
    ['invalid base64', `1 ${key(1).replace('=', '!')}`, /line 1 must hold a key/],
    ['no version', key(1), /line 1 must be a version/],
    ['version 0', `0 ${key(1)}`, /line 1 must be a version/],
    ['something after the key', `1 ${key(1)} x`, /line 1 must be a version/],
  ])('with %s is refused', async (_, text, words) => {
    const loaded = await load(await fileWith(text))
    expect(loaded.ok ? '' : loaded.refusal).toMatch(words)
    expect(JSON.stringify(loaded)).not.toContain(key(1))
  })

  it('is refused if others can read it', async () => {
    const path = await fileWith(`1 ${key(1)}`)
    await chmod(path, 0o640)
    expect(await load(path)).toMatchObject({ ok: false, refusal: expect.stringMatching(/chmod 600/) })
    expect(await readFile(path, 'utf8')).toContain(key(1))
  })

  it('is accepted from systemd, which grants access by an access list', async () => {
    const path = await fileWith(`1 ${key(1)}`)
    await chmod(path, 0o440)
    vi.stubEnv('CREDENTIALS_DIRECTORY', join(folder, 'elsewhere'))
    expect(await load(path)).toMatchObject({ ok: false })
    vi.stubEnv('CREDENTIALS_DIRECTORY', dirname(path))
    expect(await load(path)).toMatchObject({ ok: true })
    await chmod(path, 0o444)
    expect(await load(path)).toMatchObject({ ok: false, refusal: expect.stringMatching(/by other users/) })
    vi.unstubAllEnvs()
  })
})

describe('a keyring in use', () => {
  const associatedData = 'wallet w1 callback secret'
  const text = (...versions: number[]) => versions.map((version) => `${version} ${key(version)}\n`).join('')

  it('reads a new key when it meets a secret under it', async () => {
    const path = await fileWith(text(1))
    const old = unwrapped(await load(path))
    await appendFile(path, text(2))
    const sealed = seal(unwrapped(await load(path)), 'whsec', associatedData, systemRandomness)
    expect(old.current).toBe(1)
    expect(open(old, sealed, associatedData).toString()).toBe('whsec')
    expect(old.current).toBe(2)
  })

  it('reads the file once for any number of secrets under an unknown version', async () => {
    const keyring = unwrapped(await load(await fileWith(text(1))))
    const sealed = seal(
      { current: 9, keys: new Map([[9, Buffer.alloc(32)]]) },
      'x',
      associatedData,
      systemRandomness,
    )
    const reads = vi.spyOn(fs, 'readFileSync')
    syncBuiltinESMExports()
    try {
      const again = unwrapped(await load(await fileWith(text(1))))
      expect(reads).toHaveBeenCalledOnce()
      for (let times = 0; times < 100; times++) {
        expect(() => open(keyring, sealed, associatedData)).toThrow(/no version 9/)
        expect(() => open(again, sealed, associatedData)).toThrow(/no version 9/)
      }
      expect(reads).toHaveBeenCalledOnce()
    } finally {
      reads.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it.each([
    ['unreadable', 'no keys here', /line 1 must be a version/],
    ['without the first version', text(2), /must keep the key of version 1/],
    ['with another key of a version it had', `1 ${key(3)}\n2 ${key(2)}`, /has a changed key of version 1/],
  ])('keeps its keys while the file is %s', async (_, broken, words) => {
    const path = await fileWith(text(1))
    const keyring = unwrapped(await load(path))
    await writeFile(path, broken)
    for (const _again of ['first', 'second']) {
      expect(keyring.refresh()).toEqual({ ok: false, refusal: expect.stringMatching(words) })
    }
    expect([...keyring.keys.keys()]).toEqual([1])
    await writeFile(path, text(1, 2))
    expect(keyring.refresh()).toEqual({ ok: true, value: undefined })
    expect(keyring.current).toBe(2)
  })

  it('keeps its keys if the file is gone', async () => {
    const path = await fileWith(text(1))
    const keyring = unwrapped(await load(path))
    await rm(path)
    expect(keyring.refresh()).toMatchObject({ refusal: expect.stringMatching(/cannot be read/) })
    expect(keyring.current).toBe(1)
  })

  it('adds a version only to a file that was generated, and keeps its lines', async () => {
    const path = join(folder, 'grown', 'master.key')
    const keyring = unwrapped(await load(path, true))
    const first = await readFile(path, 'utf8')
    await keyring.addVersion?.()
    expect(keyring.refresh().ok && keyring.current).toBe(2)
    expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${first.replaceAll('+', '[+]')}2 \\S{44}\n$`))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'grown'))).toEqual(['master.key'])
    expect(unwrapped(await load(path)).addVersion).toBeUndefined()
  })
})

function unwrapped<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(result.refusal)
  return result.value
}

let files = 0
async function fileWith(text: string): Promise<string> {
  const path = join(folder, `keys-${++files}`)
  await writeFile(path, text, { mode: 0o600 })
  return path
}
