// Requests and callbacks as they happen: the server sends each as HTML, already escaped.

/** Older entries than the server keeps are taken off. */
const entriesMax = 100
/** Parts of the page that the server sends anew when they change. */
const places = ['notice', 'orders', 'subscription', 'acting', 'charges']

export function followTimeline(list: HTMLElement): void {
  const { events = '', last = '' } = list.dataset
  const source = new EventSource(`${events}&after=${last}`)
  source.addEventListener('entry', ({ data }) => {
    const [entry] = elementsOf(data)
    // After a broken connection the server repeats what it is not sure of.
    if (entry === undefined || document.getElementById(entry.id) !== null) return
    entry.classList.add('new')
    list.prepend(entry)
    while (list.children.length > entriesMax) list.lastElementChild?.remove()
  })
  for (const name of places) {
    source.addEventListener(name, ({ data }) => {
      document.querySelector(`[data-${name}]`)?.replaceChildren(...elementsOf(data))
    })
  }
  // A page that the browser keeps for going back holds no connection open.
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

function elementsOf(html: string): Element[] {
  return [...new DOMParser().parseFromString(html, 'text/html').body.children]
}
