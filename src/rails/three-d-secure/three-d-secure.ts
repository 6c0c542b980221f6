// The port to the issuers: EMV 3-D Secure 2.2.0 and 2.3.1 messages as far as we use them, named as EMVCo names them.

/** Y authenticated, N not, U unavailable, A attempted, C challenge, R rejected, I informational. */
export type TransStatus = 'Y' | 'N' | 'U' | 'A' | 'C' | 'R' | 'I'

interface Message<Type extends string> {
  readonly messageType: Type
  /** `2.2.0` or `2.3.1` */
  readonly messageVersion: string
  /** UUID the 3DS server gave the transaction; in every message about it. */
  readonly threeDSServerTransID: string
}

/** Authentication request: the 3DS server asks who is paying. Holds the card's number: memory only. */
export interface AReq extends Message<'AReq'> {
  /** Whether the issuer's method page was loaded: yes, no, or there is none. */
  readonly threeDSCompInd: 'Y' | 'N' | 'U'
  readonly threeDSRequestorID: string
  /** At most 40 characters. */
  readonly threeDSRequestorName: string
  readonly threeDSRequestorURL: string
  /** 01 payment, 02 recurring, 04 add card. */
  readonly threeDSRequestorAuthenticationInd?: string
  /** 01 no preference, 03 challenge wanted, 04 challenge mandated. */
  readonly threeDSRequestorChallengeInd?: string
  /** Where the issuer's result (RReq) goes. */
  readonly threeDSServerURL: string
  /** 02: browser. */
  readonly deviceChannel: '02'
  /** 01 payment, 02 no payment (a card is being stored). */
  readonly messageCategory: '01' | '02'
  readonly acctNumber: string
  /** YYMM */
  readonly cardExpiryDate?: string
  /** 2 to 45 characters. */
  readonly cardholderName?: string
  readonly email?: string
  readonly acquirerBIN?: string
  readonly acquirerMerchantID?: string
  readonly mcc?: string
  /** ISO 3166-1 numeric. */
  readonly merchantCountryCode?: string
  /** At most 40 characters; the cardholder sees it. */
  readonly merchantName?: string
  /** Where the browser goes back to, with `cres`. */
  readonly notificationURL: string
  /** Minor units, digits only; needed for payments. */
  readonly purchaseAmount?: string
  /** ISO 4217 numeric: 978 is EUR. */
  readonly purchaseCurrency?: string
  readonly purchaseExponent?: string
  /** YYYYMMDDHHMMSS in UTC */
  readonly purchaseDate?: string
  /** 01: goods or services. */
  readonly transType?: string
  readonly browserAcceptHeader: string
  readonly browserUserAgent: string
  readonly browserLanguage: string
  readonly browserIP?: string
  readonly browserJavascriptEnabled: boolean
  /** This and the next four are needed when JavaScript is enabled. */
  readonly browserJavaEnabled?: boolean
  readonly browserColorDepth?: string
  readonly browserScreenHeight?: string
  readonly browserScreenWidth?: string
  /** Minutes, UTC minus local time. */
  readonly browserTZ?: string
}

/** Authentication response: yes or no at once, or a challenge. */
export interface ARes extends Message<'ARes'> {
  readonly dsTransID: string
  readonly acsTransID: string
  readonly transStatus: TransStatus
  /** Two digits; why it is not Y. */
  readonly transStatusReason?: string
  readonly eci?: string
  /** 28 characters of base64. */
  readonly authenticationValue?: string
  /** Where the browser posts `creq`; with transStatus C. */
  readonly acsURL?: string
  readonly acsChallengeMandated?: 'Y' | 'N'
  /** 01 static, 02 dynamic, 03 out of band. */
  readonly authenticationType?: string
}

/** Challenge request: posted by the browser to `acsURL` as form field `creq`. */
export interface CReq extends Message<'CReq'> {
  readonly acsTransID: string
  /** 250×400, 390×400, 500×600, 600×400, full screen. */
  readonly challengeWindowSize: '01' | '02' | '03' | '04' | '05'
}

/** Challenge response: posted by the browser to `notificationURL` as `cres`. Anybody could write one: never trust it. */
export interface CRes extends Message<'CRes'> {
  readonly acsTransID: string
  readonly transStatus: TransStatus
  readonly challengeCompletionInd?: 'Y' | 'N'
}

/** Results request: the issuer's own word on a challenge, sent to `threeDSServerURL` before the browser goes back. */
export interface RReq extends Message<'RReq'> {
  readonly dsTransID: string
  readonly acsTransID: string
  readonly messageCategory: '01' | '02'
  readonly transStatus: TransStatus
  readonly transStatusReason?: string
  readonly eci?: string
  readonly authenticationValue?: string
  readonly authenticationType?: string
  /** 01 cancelled by the cardholder, 05 timed out at the issuer. */
  readonly challengeCancel?: string
  /** How often the cardholder answered, two digits. */
  readonly interactionCounter?: string
}

/** Results response: the 3DS server has the result. */
export interface RRes extends Message<'RRes'> {
  readonly dsTransID: string
  readonly acsTransID: string
  /** 01: received. */
  readonly resultsStatus: '01' | '02' | '03'
}

/** Says what was wrong with a message. */
export interface Erro {
  readonly messageType: 'Erro'
  readonly messageVersion: string
  readonly threeDSServerTransID?: string
  readonly dsTransID?: string
  readonly acsTransID?: string
  /** Such as 201 required element missing, 203 format invalid, 301 transaction unknown. */
  readonly errorCode: string
  /** Who noticed: C app, S 3DS server, D directory server, A issuer. */
  readonly errorComponent: 'C' | 'S' | 'D' | 'A'
  readonly errorDescription: string
  /** Names of the elements at fault. */
  readonly errorDetail: string
  readonly errorMessageType?: string
}

/** What the browser's hidden frame posts to the method page, and that page posts back. */
export interface ThreeDSMethodData {
  readonly threeDSServerTransID: string
  /** Where the method page reports that it is done; absent on the way back. */
  readonly threeDSMethodNotificationURL?: string
}

export interface ThreeDSecure {
  /**
   * How the card's issuer speaks: the message version, and the page that wants to see the browser first.
   * Undefined when the card takes no part in 3-D Secure.
   */
  versions(cardNumber: string): Promise<{ readonly version: string; readonly methodUrl?: string } | undefined>
  /** Asks the issuer. Throws {@link ThreeDSecureError} when the message itself was refused. */
  authenticate(areq: AReq): Promise<ARes>
}

/** The other side answered a message with Erro: a fault in what we sent, not the cardholder's. */
export class ThreeDSecureError extends Error {
  readonly erro: Erro

  constructor(erro: Erro) {
    super(`3-D Secure error ${erro.errorCode}: ${erro.errorDescription} (${erro.errorDetail})`)
    this.name = 'ThreeDSecureError'
    this.erro = erro
  }
}
