// Lists of the API: `await` for one page, `for await` for all records.

export interface Pages<Element, Page> {
  read(position: number | string | undefined): Promise<Page>
  elementsOf(page: Page): readonly Element[]
  /** Position of the next page. Undefined after the last. */
  next(page: Page, position: number | string | undefined): number | string | undefined
}

/** `await` reads the first page. `for await` reads all pages. */
export class List<Element, Page> implements AsyncIterable<Element>, PromiseLike<Page> {
  readonly #first: () => Promise<Page>
  readonly #pages: Pages<Element, Page>

  /**
   * @param first reads the first page
   * @param pages reads the later ones
   */
  constructor(first: () => Promise<Page>, pages: Pages<Element, Page>) {
    this.#first = first
    this.#pages = pages
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list reads its first page
  then<Done = Page, Failed = never>(
    done?: ((page: Page) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#first().then(done, failed)
  }

  /** Iterates over pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let position: number | string | undefined
    do {
      const page = await this.#pages.read(position)
      yield page
      position = this.#pages.next(page, position)
    } while (position !== undefined)
  }

  /**
   * Skips records that new ones have moved to a later page. If an earlier record stops matching the filter meanwhile,
   * this can miss a record.
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

/** Maximum records of a page. */
const limitMax = 30

export interface PageOf<Element> {
  readonly total: number
  readonly elements: Element[]
}

/** List with page numbers, newest first. Without `limit`, iteration reads full pages. */
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

/** A list whose `next` is sent as `after` to get the next page. */
export function continuedList<Element, Page, Query extends { readonly after?: string }>(
  query: Query | undefined,
  read: (query: Query) => Promise<Page>,
  pages: Pick<Pages<Element, Page>, 'elementsOf' | 'next'>,
): List<Element, Page> {
  const from = (after: number | string | undefined = query?.after) =>
    read({ ...query, ...(after !== undefined && { after: String(after) }) } as Query)
  return new List(() => from(), { read: from, ...pages })
}
