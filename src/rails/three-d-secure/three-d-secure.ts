// EMV 3-D Secure 2.2.0 and 2.3.1 messages, with EMVCo's names.

/** Y authenticated, N not, U unavailable, A attempted, C challenge, R rejected, I informational. */
export type TransStatus = 'Y' | 'N' | 'U' | 'A' | 'C' | 'R' | 'I'

interface Message<Type extends string> {
  readonly messageType: Type
  readonly messageVersion: string
  readonly threeDSServerTransID: string
}

/** Authentication request. It has the card number: memory only. */
export interface AReq extends Message<'AReq'> {
  readonly threeDSCompInd: 'Y' | 'N' | 'U'
  readonly threeDSRequestorID: string
  readonly threeDSRequestorName: string
  readonly threeDSRequestorURL: string
  /** 01 payment, 02 recurring, 04 add card. */
  readonly threeDSRequestorAuthenticationInd?: string
  /** 01 no preference, 03 challenge wanted, 04 challenge mandated. */
  readonly threeDSRequestorChallengeInd?: string
  readonly threeDSServerURL: string
  /** 02: browser. */
  readonly deviceChannel: '02'
  /** 01 payment, 02 no payment (a card is being stored). */
  readonly messageCategory: '01' | '02'
  readonly acctNumber: string
  readonly cardExpiryDate?: string
  readonly cardholderName?: string
  readonly email?: string
  readonly acquirerBIN?: string
  readonly acquirerMerchantID?: string
  readonly mcc?: string
  /** ISO 3166-1 numeric. */
  readonly merchantCountryCode?: string
  /** At most 40 characters; the cardholder sees it. */
  readonly merchantName?: string
  readonly notificationURL: string
  readonly purchaseAmount?: string
  /** ISO 4217 numeric: 978 is EUR. */
  readonly purchaseCurrency?: string
  readonly purchaseExponent?: string
  readonly purchaseDate?: string
  /** 01: goods or services. */
  readonly transType?: string
  readonly browserAcceptHeader: string
  readonly browserUserAgent: string
  readonly browserLanguage: string
  readonly browserIP?: string
  readonly browserJavascriptEnabled: boolean
  /** This and the next four are required with JavaScript. */
  readonly browserJavaEnabled?: boolean
  readonly browserColorDepth?: string
  readonly browserScreenHeight?: string
  readonly browserScreenWidth?: string
  /** Minutes, UTC minus local time. */
  readonly browserTZ?: string
}

/** Authentication response: a result or a challenge. */
export interface ARes extends Message<'ARes'> {
  readonly dsTransID: string
  readonly acsTransID: string
  readonly transStatus: TransStatus
  /** Two digits: the reason if it is not Y. */
  readonly transStatusReason?: string
  readonly eci?: string
  readonly authenticationValue?: string
  /** The browser posts `creq` here; with transStatus C. */
  readonly acsURL?: string
  readonly acsChallengeMandated?: 'Y' | 'N'
  /** 01 static, 02 dynamic, 03 out of band. */
  readonly authenticationType?: string
}

export interface CReq extends Message<'CReq'> {
  readonly acsTransID: string
  /** 250×400, 390×400, 500×600, 600×400, full screen. */
  readonly challengeWindowSize: '01' | '02' | '03' | '04' | '05'
}

/** Challenge response, posted by the browser as `cres`. Anyone could write one: never trust it. */
export interface CRes extends Message<'CRes'> {
  readonly acsTransID: string
  readonly transStatus: TransStatus
  readonly challengeCompletionInd?: 'Y' | 'N'
}

/** Results request: the issuer's result, sent to `threeDSServerURL` before the browser returns. */
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
  readonly interactionCounter?: string
}

export interface RRes extends Message<'RRes'> {
  readonly dsTransID: string
  readonly acsTransID: string
  readonly resultsStatus: '01' | '02' | '03'
}

export interface Erro {
  readonly messageType: 'Erro'
  readonly messageVersion: string
  readonly threeDSServerTransID?: string
  readonly dsTransID?: string
  readonly acsTransID?: string
  /** For example 201 element missing, 203 format invalid, 301 transaction unknown. */
  readonly errorCode: string
  /** C app, S 3DS server, D directory server, A issuer. */
  readonly errorComponent: 'C' | 'S' | 'D' | 'A'
  readonly errorDescription: string
  readonly errorDetail: string
  readonly errorMessageType?: string
}

/** Posted by the browser's hidden frame to the method page, and back. */
export interface ThreeDSMethodData {
  readonly threeDSServerTransID: string
  readonly threeDSMethodNotificationURL?: string
}

export interface ThreeDSecure {
  /** The message version and the page that must see the browser first. Undefined: the card has no 3-D Secure. */
  versions(cardNumber: string): Promise<{ readonly version: string; readonly methodUrl?: string } | undefined>
  authenticate(areq: AReq): Promise<ARes>
}

export class ThreeDSecureError extends Error {
  readonly erro: Erro

  constructor(erro: Erro) {
    super(`3-D Secure error ${erro.errorCode}: ${erro.errorDescription} (${erro.errorDetail})`)
    this.name = 'ThreeDSecureError'
    this.erro = erro
  }
}
