// A row of a list opens on a click anywhere in it, as its link does; the link itself is there for keyboards.

/** What acts by itself, or belongs to a dialog or menu. */
const own = 'a, button, input, select, textarea, label, summary, [role=menu], [role=dialog]'
const linkOfRow = 'a[href^="/backoffice/"]:not([download])'

/** Once for all lists: a row with a link into the backoffice opens it. */
export function openRowsByClick(): void {
  addEventListener('click', (event) => {
    const link = linkUnder(event)
    if (link === undefined || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.shiftKey) openApart(link)
    else link.click()
  })
  addEventListener('auxclick', (event) => {
    const link = event.button === 1 ? linkUnder(event) : undefined
    if (link !== undefined) openApart(link)
  })
}

/** The link of the row that was clicked beside it; undefined while a text is being marked. */
function linkUnder({ target }: MouseEvent): HTMLAnchorElement | undefined {
  if (!(target instanceof Element) || target.closest(own) !== null) return undefined
  if (getSelection()?.isCollapsed === false) return undefined
  return target.closest('.table-frame tbody tr')?.querySelector<HTMLAnchorElement>(linkOfRow) ?? undefined
}

function openApart({ href }: HTMLAnchorElement): void {
  open(href, '_blank', 'noopener')
}
