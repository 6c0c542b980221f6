// A list of the API: awaited it is its first page, iterated it is every record of all pages.

/** What a page of some list is read with, and where the next one is. */
export interface Pages<Element, Page> {
  read(position: number | string | undefined): Promise<Page>
  elementsOf(page: Page): readonly Element[]
  /** Where the page behind this one begins; undefined after the last. */
  next(page: Page, position: number | string | undefined): number | string | undefined
}

/** `await` reads the first page; `for await` reads page after page, as far as it is iterated. */
export class List<Element, Page> implements AsyncIterable<Element>, PromiseLike<Page> {
  readonly #first: () => Promise<Page>
  readonly #pages: Pages<Element, Page>

  /** @param first reads the page that is asked for; `pages` begins wherever iteration is to begin */
  constructor(first: () => Promise<Page>, pages: Pages<Element, Page>) {
    this.#first = first
    this.#pages = pages
  }

  /** Reads the page that was asked for. */
  // biome-ignore lint/suspicious/noThenProperty: awaiting a list reads its first page
  then<Done = Page, Failed = never>(
    done?: ((page: Page) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#first().then(done, failed)
  }

  /** Page after page, each as the API answers it. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let position: number | string | undefined
    do {
      const page = await this.#pages.read(position)
      yield page
      position = this.#pages.next(page, position)
    } while (position !== undefined)
  }

  /**
   * No record twice: what is made meanwhile moves others to a later page, and one that came before is left out there.
   * By page number a record can be missed: what stops matching the filter meanwhile moves others to an earlier page.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Element, void, undefined> {
    const seen = new Set<unknown>()
    for await (const page of this.pages()) {
      for (const element of this.#pages.elementsOf(page)) {
        const id = (element as { readonly id?: unknown }).id
        if (id !== undefined && seen.has(id)) continue
        if (id !== undefined) seen.add(id)
        yield element
      }
    }
  }
}

/** The most records that a page has. */
const limitMax = 30

/** A page of a list by page number. */
export interface PageOf<Element> {
  readonly total: number
  readonly elements: Element[]
}

/** A list by page number, newest first. Iterated without a `limit` it reads as many a time as the gateway gives. */
export function pagedList<Element, Query extends { readonly offset?: number; readonly limit?: number }>(
  query: Query | undefined,
  read: (query: Query) => Promise<PageOf<Element>>,
): List<Element, PageOf<Element>> {
  const asked = { limit: limitMax, ...query } as Query & { limit: number }
  const begin = query?.offset ?? 0
  return new List(() => read({ ...query } as Query), {
    read: (position = begin) => read({ ...asked, offset: position } as Query),
    elementsOf: ({ elements }) => elements,
    next({ total, elements }, position = begin) {
      const next = Number(position) + 1
      return elements.length > 0 && next * asked.limit < total ? next : undefined
    },
  })
}

/** A list that says itself how it goes on: `next` is given as `after`. */
export function continuedList<Element, Page, Query extends { readonly after?: string }>(
  query: Query | undefined,
  read: (query: Query) => Promise<Page>,
  pages: Pick<Pages<Element, Page>, 'elementsOf' | 'next'>,
): List<Element, Page> {
  const from = (after: number | string | undefined = query?.after) =>
    read({ ...query, ...(after !== undefined && { after: String(after) }) } as Query)
  return new List(() => from(), { read: from, ...pages })
}
