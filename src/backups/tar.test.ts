// Archives: reading those of older versions and of tar-stream.
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, it } from 'vitest'
import { textFile } from './hot-copy.ts'
import { packFile, packFolder, readTar } from './tar.ts'

/** Written by version 0.1.0: a header, a folder, a file of one block, and an empty file. */
const written = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA+3WwQrCMAwG4DzK2AO4P67dwLeJOg9C7egqKOK7yzwoOPHWTli+QxN66SH8oTvveh+irI6DP1EaANAAz4ppBdi8+/GeYUxLBSiD8xAlELK89Ydu5cEHJ7Hc8J3U4uwlylaGrhqPhPlvf+X/s2fU9ZoKq/nPO/+K59j//GX+prG6/3O4qEV75b9zfbzO9P+b5t9aaP6VUiqlB2GLAlkAEAAA',
    'base64',
  ),
)
const entries: readonly (readonly [string, string | undefined])[] = [
  ['comporta.json', '{"format":1}'],
  ['database/base', undefined],
  ['database/base/1', 'x'.repeat(512)],
  ['database/empty', ''],
]

async function read(archive: Uint8Array) {
  const found: [string, string | undefined][] = []
  for await (const { name, bytes, content } of readTar(Readable.from([archive], { objectMode: false })))
    found.push([name, bytes === undefined ? undefined : await text(Readable.from(content))])
  return found
}

async function packed(): Promise<Buffer> {
  const archive = pack()
  const whole = buffer(archive as unknown as NodeJS.ReadableStream)
  for (const [name, content] of entries)
    if (content === undefined) packFolder(archive, name)
    else await packFile(archive, textFile(name, content))
  archive.finalize()
  return whole
}

it('reads an archive of an older version', async () => {
  expect(await read(written)).toEqual(entries)
})

it('reads an archive that it packed', async () => {
  expect(await read(await packed())).toEqual(entries)
})

it.each([
  ['ends in the middle of a file', (archive: Buffer) => archive.subarray(0, 1700)],
  ['ends in the middle of a header', (archive: Buffer) => archive.subarray(0, 700)],
  ['has a wrong sum', (archive: Buffer) => archive.fill('x', 0, 3)],
  ['is a letter', () => Buffer.from('Dear Ana'.repeat(100))],
  ['has a link', (archive: Buffer) => linked(archive)],
])('refuses an archive that %s', async (_, change) => {
  await expect(read(change(await packed()))).rejects.toThrow('no archive')
})

function linked(archive: Buffer): Buffer {
  const sum = Number.parseInt(archive.toString('latin1', 148, 154), 8)
  archive.write('2', 156)
  archive.write(`${(sum + 2).toString(8).padStart(6, '0')}`, 148)
  return archive
}

it('passes on errors of the source', async () => {
  const source = Readable.from(
    (async function* () {
      yield written.subarray(0, 1700)
      throw Object.assign(new Error('damaged'), { code: 'Z_DATA_ERROR' })
    })(),
    { objectMode: false },
  )
  const reading = (async () => {
    for await (const { content } of readTar(source)) await buffer(Readable.from(content))
  })()
  await expect(reading).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
})
