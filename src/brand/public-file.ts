// Files for pages of any site, with an ETag.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtFiles } from '../http/index.ts'

export interface PublicFile {
  readonly content: Buffer
  readonly type: string
  readonly etag: string
}

const etagLength = 22

export function publicFile(content: Buffer, type: string): PublicFile {
  const hash = createHash('sha256').update(content).digest('base64url')
  return { content, type, etag: `"${hash.slice(0, etagLength)}"` }
}

export function isKnown({ etag }: PublicFile, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

export function loadBadgeScript(manifestPath: string): PublicFile {
  const { file } = builtFiles(manifestPath)('badge.js')
  return publicFile(readFileSync(join(dirname(manifestPath), file)), 'text/javascript; charset=utf-8')
}
