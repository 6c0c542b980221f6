// Table rows that open on click.

/** Elements with their own click. */
const own = 'a, button, input, select, textarea, label, summary, [role=menu], [role=dialog]'
const linkOfRow = 'a[href^="/backoffice/"]:not([download])'

/** Registers one listener for all lists. Keyboards use the link. */
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

/** Link of the clicked row. Undefined while text is selected. */
function linkUnder({ target }: MouseEvent): HTMLAnchorElement | undefined {
  if (!(target instanceof Element) || target.closest(own) !== null) return undefined
  if (getSelection()?.isCollapsed === false) return undefined
  return target.closest('.table-frame tbody tr')?.querySelector<HTMLAnchorElement>(linkOfRow) ?? undefined
}

function openApart({ href }: HTMLAnchorElement): void {
  open(href, '_blank', 'noopener')
}
