// What the merchant's page and the frame say to each other: one greeting in the open, then a port of their own.

/** Fields by the names that NewCardSecure has for them (SPEC, NewCardSecure). */
export const fieldNames = ['number', 'valdate', 'vcode', 'name'] as const

export type FieldName = (typeof fieldNames)[number]
export type Locale = 'pt' | 'en'
export type FieldProblem = 'missing' | 'invalid' | 'expired'
export type FieldErrors = Partial<Record<FieldName, FieldProblem>>

/** The frame to its parent, which answers with a {@link Greeting} and a port. There is nothing secret in it. */
export const hello = 'comporta-secure-fields-hello'
/** The page to the frame, with one end of a channel. */
export const greeting = 'comporta-secure-fields-greeting'

export interface Settings {
  locale?: string | undefined
  /** Order in which the fields are shown. */
  fields?: readonly FieldName[] | undefined
  appearance?: Appearance | undefined
}

export interface Greeting extends Settings {
  readonly type: typeof greeting
}

/** A card as it was typed and checked: digits alone, `MM/YYYY`, trimmed. It never leaves the frame in the clear. */
export type CardValues = Readonly<Record<FieldName, string>>

/** Colours and sizes that a merchant may set; everything else stays ours. */
export type Appearance = Partial<
  Record<
    | 'colorText'
    | 'colorMuted'
    | 'colorBackground'
    | 'colorField'
    | 'colorBorder'
    | 'colorAccent'
    | 'colorDanger'
    | 'fontSize'
    | 'radius',
    string
  >
>

/** Tells about the fields without a digit of them. */
export interface FieldsState {
  readonly complete: boolean
  readonly empty: boolean
  /** Known as soon as the first digits are; null for cards without a mark. */
  readonly brand: string | null
  /** Errors that are shown. */
  readonly errors: FieldErrors
}

export interface EncryptedCard {
  readonly newCardSecure: Readonly<Record<FieldName, string>>
  readonly brand: string | null
  readonly last4: string
  readonly bin: string
  /** ISO 8601; the card must be used by then. */
  readonly expiresAt: string
}

export interface EventDetails {
  ready: Record<string, never>
  change: FieldsState
  focus: { readonly field: FieldName }
  blur: { readonly field: FieldName }
  /** Enter in a field, with every field right. */
  submit: Record<string, never>
  error: Failure
}

export type EventName = keyof EventDetails

export type FailureCode =
  | 'invalid_card'
  | 'insecure_context'
  | 'unreachable'
  | 'not_mounted'
  | 'destroyed'
  | 'appearance'
  | 'internal'

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly errors?: FieldErrors | undefined
}

export interface Calls {
  validate: { argument: undefined; result: { readonly valid: boolean; readonly errors: FieldErrors } }
  encrypt: { argument: undefined; result: EncryptedCard }
  focus: { argument: FieldName | undefined; result: undefined }
  clear: { argument: undefined; result: undefined }
  update: { argument: Settings; result: undefined }
}

export type CallName = keyof Calls

/** The page to the frame, through the port. */
export interface CallMessage {
  readonly id: number
  readonly call: CallName
  readonly argument: unknown
}

/** The frame to the page, through the port. */
export type FrameMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: EventName; readonly detail: EventDetails[EventName] }
  | { readonly height: number }
