// Messages between the merchant's page and the frame.

/** Names of SPEC, NewCardSecure. */
export const fieldNames = ['number', 'valdate', 'vcode', 'name'] as const

export type FieldName = (typeof fieldNames)[number]
export type Locale = 'pt' | 'en'
export type FieldProblem = 'missing' | 'invalid' | 'expired'
export type FieldErrors = Partial<Record<FieldName, FieldProblem>>

/** From the frame to its parent, which answers with a {@link Greeting} and a port. Contains no secret. */
export const hello = 'comporta-secure-fields-hello'
/** From the page to the frame, with one end of a channel. */
export const greeting = 'comporta-secure-fields-greeting'

export interface Settings {
  locale?: string | undefined
  /** Order of the fields. */
  fields?: readonly FieldName[] | undefined
  appearance?: Appearance | undefined
}

export interface Greeting extends Settings {
  readonly type: typeof greeting
}

/** Checked values: digits only, `MM/YYYY`, trimmed. They leave the frame encrypted only. */
export type CardValues = Readonly<Record<FieldName, string>>

/** Colours and sizes that a merchant may set. */
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

/** State of the fields, without any digit. */
export interface FieldsState {
  readonly complete: boolean
  readonly empty: boolean
  /** Null for cards without a logo. */
  readonly brand: string | null
  readonly errors: FieldErrors
}

export interface EncryptedCard {
  readonly newCardSecure: Readonly<Record<FieldName, string>>
  readonly brand: string | null
  readonly last4: string
  readonly bin: string
  /** ISO 8601. Use the card before this time. */
  readonly expiresAt: string
}

export interface EventDetails {
  ready: Record<string, never>
  change: FieldsState
  focus: { readonly field: FieldName }
  blur: { readonly field: FieldName }
  /** Enter in a field while all fields are valid. */
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

/** From the page to the frame. */
export interface CallMessage {
  readonly id: number
  readonly call: CallName
  readonly argument: unknown
}

/** From the frame to the page. */
export type FrameMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: EventName; readonly detail: EventDetails[EventName] }
  | { readonly height: number }
