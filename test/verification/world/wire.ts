// The wire from the world to a gateway, in this process or over the network.

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface WireAnswer {
  readonly status: number
  /**
   * Names are in lower case. If a header such as `set-cookie` is there several times, its values are one text with
   * line breaks.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Wire {
  readonly baseUrl: string
  /** Sends a request. Undefined if no answer came, so that the result is unknown. */
  send(request: WireRequest): Promise<WireAnswer | undefined>
  pause(milliseconds: number): Promise<void>
}
