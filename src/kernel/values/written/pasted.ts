// Numbers as people paste them from contacts, chats and PDF files: with marks that nobody sees. For the server and for pages.

/** Marks of direction, joiners, soft hyphens and variation selectors. */
const invisible = /\p{Cf}|[\u{fe00}-\u{fe0f}]/gu
const dashes = /[\p{Pd}\u2212]/gu
const spaces = /\p{Zs}/gu

/** `text` without invisible marks, with plain hyphens and spaces in place of non-breaking and wide ones. */
export function withoutMarks(text: string): string {
  return text.replace(invisible, '').replace(dashes, '-').replace(spaces, ' ')
}
