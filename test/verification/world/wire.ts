// Wire from the world to a gateway: in this process or over the network.

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface WireAnswer {
  readonly status: number
  /** Names in lower case; repeated ones, such as `set-cookie`, are one text with line breaks. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Wire {
  readonly baseUrl: string
  /** The answer; undefined if there was none and the result is unknown. */
  send(request: WireRequest): Promise<WireAnswer | undefined>
  pause(milliseconds: number): Promise<void>
}
