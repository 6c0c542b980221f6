// The type of all texts.
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

export interface Message {
  readonly title: string
  readonly detail: string
}

export interface LateTexts {
  readonly open: Message
  readonly waiting: string
  readonly done: Record<CheckoutKind, string>
  readonly ended: string
}

export interface ReceiptTexts {
  readonly amount: Record<CheckoutKind, string>
  readonly paidTo: string
  readonly method: string
  readonly date: string
  readonly moment: (day: string, time: string) => string
  readonly number: Record<CheckoutKind, string>
  readonly print: string
}

export interface Texts {
  readonly languageName: string
  readonly switchLanguage: string
  readonly secureFooter: string

  readonly pageTitle: Record<CheckoutKind, (merchant: string) => string>
  readonly titleOnError: (title: string) => string
  readonly amountLabel: Record<CheckoutKind, string>
  readonly kindExplained: Record<CheckoutKind, string | undefined>
  readonly itemsSummary: (count: number) => string
  /** `each`: the price of one piece, or empty. */
  readonly quantity: (count: number, each: string) => string
  readonly payableUntil: (moment: LocalMoment) => string

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
  readonly timeLeftSpoken: { readonly minutes: string; readonly seconds: string }

  readonly proceed: string

  readonly beyondLimits: Message

  readonly outcomes: Record<Outcome['kind'], Message>
  readonly paidWith: (brand: string, last4: string) => string
  readonly receipt: ReceiptTexts
  readonly backToShop: string
  readonly forwarding: string
  readonly stayHere: string
  readonly stayByKey: string
  readonly staying: string

  readonly problemsPages: Record<ProblemPage['problem'], Message>
  readonly requestId: string
  readonly retry: string
}
