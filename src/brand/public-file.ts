// A file for pages of any site, with the validator by which browsers ask whether it changed.
import { createHash } from 'node:crypto'

export interface PublicFile {
  readonly content: Buffer
  readonly type: string
  /** A strong validator, with its quotes. */
  readonly etag: string
}

/** 132 bits. */
const etagLength = 22

export function publicFile(content: Buffer, type: string): PublicFile {
  const hash = createHash('sha256').update(content).digest('base64url')
  return { content, type, etag: `"${hash.slice(0, etagLength)}"` }
}

/** Whether a browser that sends `ifNoneMatch` has this very file. */
export function isKnown({ etag }: PublicFile, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
