// Opens a row of a table by a click on it.

/** A click on one of these elements does not open the row. */
const own = 'a, button, input, select, textarea, label, summary, [role=menu], [role=dialog]'
const linkOfRow = 'a[href^="/backoffice/"]:not([download])'

/** Registers one listener for all lists. With a keyboard, the user opens the link in the row. */
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

/** The link of the clicked row. Undefined while text is selected, so that the user can copy it. */
function linkUnder({ target }: MouseEvent): HTMLAnchorElement | undefined {
  if (!(target instanceof Element) || target.closest(own) !== null) return undefined
  if (getSelection()?.isCollapsed === false) return undefined
  return target.closest('.table-frame tbody tr')?.querySelector<HTMLAnchorElement>(linkOfRow) ?? undefined
}

function openApart({ href }: HTMLAnchorElement): void {
  open(href, '_blank', 'noopener')
}
