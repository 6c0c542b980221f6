// The shape of the texts of the hosted pages: one record per language has it, so that a missing text does not compile.
import type { DeclineReason } from '../../rails/index.ts'
import type {
  AuthenticationFailure,
  CheckoutKind,
  FieldProblem,
  Outcome,
  PageField,
  ProblemPage,
} from '../model.ts'
import type { LocalMoment } from './format.ts'

/** A heading and the sentence under it. */
export interface Message {
  readonly title: string
  readonly detail: string
}

/** What a customer sees whose form came from a page that was out of date. */
export interface LateTexts {
  /** The payment can still be made. */
  readonly open: Message
  /** Another answer is being decided, or waits for the customer elsewhere. */
  readonly waiting: string
  /** It has succeeded, by what the checkout is about. */
  readonly done: Record<CheckoutKind, string>
  /** It is over, and nothing was paid. */
  readonly ended: string
}

/** Of what a customer keeps of a payment. */
export interface ReceiptTexts {
  /** What was done with the amount. */
  readonly amount: Record<CheckoutKind, string>
  readonly paidTo: string
  readonly method: string
  readonly date: string
  /** The moment in Lisbon, always with its day. */
  readonly moment: (day: string, time: string) => string
  readonly number: Record<CheckoutKind, string>
  readonly print: string
}

export interface Texts {
  /** The language's own name, for the switch to it. */
  readonly languageName: string
  readonly switchLanguage: string
  readonly secureFooter: string

  readonly pageTitle: Record<CheckoutKind, (merchant: string) => string>
  readonly titleOnError: (title: string) => string
  readonly amountLabel: Record<CheckoutKind, string>
  readonly kindExplained: Record<CheckoutKind, string | undefined>
  readonly itemsSummary: (count: number) => string
  /** `each` is the amount of one piece, or empty. */
  readonly quantity: (count: number, each: string) => string
  readonly payableUntil: (moment: LocalMoment) => string

  /** On a button that stops waiting for this method. */
  readonly otherMethod: string
  readonly chooseMethod: string
  readonly labels: Record<PageField, string>
  readonly hints: Partial<Record<PageField, string>>
  readonly problems: Record<PageField, Partial<Record<FieldProblem, string>>>
  readonly problemSummary: string

  readonly submit: Record<CheckoutKind, (amount: string) => string>
  readonly submitting: string
  readonly cancel: string

  readonly declined: Record<DeclineReason, Message>
  readonly authenticationFailed: Record<AuthenticationFailure, Message>
  readonly tryAgain: Message
  readonly tooManyCards: Message

  readonly late: LateTexts

  readonly waiting: Message
  readonly waitingLong: string
  readonly waitingRefresh: string
  readonly timeLeft: (clock: string) => string
  /** `{minutes}` and `{seconds}` are put in by the browser. */
  readonly timeLeftSpoken: { readonly minutes: string; readonly seconds: string }

  readonly proceed: string

  /** The merchant may not take so much at present. */
  readonly beyondLimits: Message

  readonly outcomes: Record<Outcome['kind'], Message>
  readonly paidWith: (brand: string, last4: string) => string
  readonly receipt: ReceiptTexts
  readonly backToShop: string
  /** `{seconds}` is put in by the browser. */
  readonly forwarding: string
  readonly stayHere: string
  /** Heard with `forwarding`. */
  readonly stayByKey: string
  /** Heard once the customer has stopped it. */
  readonly staying: string

  readonly problemsPages: Record<ProblemPage['problem'], Message>
  readonly requestId: string
  readonly retry: string
}
