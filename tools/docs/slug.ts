// Anchors of headings, by the rule of GitHub, which the site uses too.

/** The text of a heading without its Markdown. */
function plain(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
}

/** The anchor of a heading, without the number that a repeated one gets. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Every anchor of a page: its headings and its own `<a id>` elements. */
export function anchorsOf(page: string): Set<string> {
  const text = page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  const found = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  const seen = new Map<string, number>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(plain(heading))
    const before = seen.get(slug) ?? 0
    seen.set(slug, before + 1)
    found.add(before === 0 ? slug : `${slug}-${before}`)
  }
  return found
}
