// The master key file: made once for a sandbox, refused in clear words when it is not as it should be.
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemRandomness } from '../kernel/random.ts'
import { loadKeyring } from './keyring.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comporta-keyring-'))
})
afterAll(() => rm(folder, { recursive: true }))

const load = (path: string, generate = false) => loadKeyring(path, { generate, random: systemRandomness })
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

describe('a generated keyring', () => {
  it('is made once, for its owner only, also when several processes start at once', async () => {
    const path = join(folder, 'new', 'master.key')
    const loaded = await Promise.all(Array.from({ length: 8 }, () => load(path, true)))
    expect(loaded[0]).toMatchObject({ ok: true, value: { current: 1 } })
    for (const other of loaded) expect(other).toEqual(loaded[0])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await load(path)).toEqual(loaded[0])
  })

  it('is not made where it was not asked for', async () => {
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
    ['letters that are no base64', `1 ${key(1).replace('=', '!')}`, /line 1 must hold a key/],
    ['no version', key(1), /line 1 must be a version/],
    ['version 0', `0 ${key(1)}`, /line 1 must be a version/],
    ['something after the key', `1 ${key(1)} x`, /line 1 must be a version/],
  ])('with %s is refused', async (_, text, words) => {
    const loaded = await load(await fileWith(text))
    expect(loaded.ok ? '' : loaded.refusal).toMatch(words)
    expect(JSON.stringify(loaded)).not.toContain(key(1))
  })

  it('that others may read is refused', async () => {
    const path = await fileWith(`1 ${key(1)}`)
    await chmod(path, 0o640)
    expect(await load(path)).toMatchObject({ ok: false, refusal: expect.stringMatching(/chmod 600/) })
    expect(await readFile(path, 'utf8')).toContain(key(1))
  })
})

let files = 0
async function fileWith(text: string): Promise<string> {
  const path = join(folder, `keys-${++files}`)
  await writeFile(path, text, { mode: 0o600 })
  return path
}
