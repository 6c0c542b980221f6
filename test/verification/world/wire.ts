// How those who act in a random world reach a gateway: in this process, or over the network.

/** A request as a stranger's program makes it. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the root of the gateway, with its query, such as `/api/v2/checkout`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface WireAnswer {
  readonly status: number
  /** Names in lower case; several of one name, such as `set-cookie`, are one text with line breaks between them. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A way to a gateway of one process or several; which of them answers is the wire's choice. */
export interface Wire {
  /** Public address of the gateway, as it writes it in links. */
  readonly baseUrl: string
  /** The answer; undefined when there was none, and what became of the request is not known. */
  send(request: WireRequest): Promise<WireAnswer | undefined>
  /** Lets time pass: that of the simulation, or of the machine. */
  pause(milliseconds: number): Promise<void>
}
