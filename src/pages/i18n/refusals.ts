// Messages for failed card payments, by reason.
import type { Locale } from '../model.ts'
import type { Texts } from './shape.ts'

type Refusals = Pick<Texts, 'declined' | 'authenticationFailed'>

function english(): Refusals {
  const nothingCharged = 'You have not been charged.'
  const otherCard = 'Use another card'
  const orAskBank = 'or contact your bank.'
  return {
    declined: {
      do_not_honour: {
        title: 'Your bank declined the payment',
        detail: `${nothingCharged} The bank did not say why. ${otherCard} ${orAskBank}`,
      },
      insufficient_funds: {
        title: 'There is not enough money on the card',
        detail: `${nothingCharged} ${otherCard}, or try again after topping up the account.`,
      },
      expired_card: {
        title: 'The card has expired',
        detail: `${nothingCharged} Check the expiry date you entered or use another card.`,
      },
      lost_or_stolen: {
        title: 'This card cannot be used',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
      wrong_security_code: {
        title: 'The security code is not right',
        detail: `${nothingCharged} Check the code on the card and try again.`,
      },
      invalid_card: {
        title: 'The bank does not recognise this card',
        detail: `${nothingCharged} Check the number and expiry date or use another card.`,
      },
      limit_exceeded: {
        title: 'This is above the limit of the card',
        detail: `${nothingCharged} ${otherCard}, or raise the limit in your bank's app.`,
      },
      not_permitted: {
        title: 'This card does not allow this payment',
        detail: `${nothingCharged} ${otherCard}, or check in your bank's app that online payments are on.`,
      },
      amount_too_small: {
        title: 'The amount is too small for a card',
        detail: `${nothingCharged} Choose another way to pay, or contact the shop.`,
      },
      amount_too_large: {
        title: 'The amount is too large for a card',
        detail: `${nothingCharged} Choose another way to pay, or contact the shop.`,
      },
      suspected_fraud: {
        title: 'Your bank stopped this payment',
        detail: `${nothingCharged} Contact your bank to allow it, or use another card.`,
      },
      authentication_required: {
        title: 'Your bank wants to confirm your identity',
        detail: `${nothingCharged} Try again and confirm the payment with your bank.`,
      },
    },
    authenticationFailed: {
      failed: {
        title: 'Your bank could not confirm your identity',
        detail: `${nothingCharged} Try again or use another card.`,
      },
      cancelled: {
        title: 'The confirmation was cancelled',
        detail: `${nothingCharged} You can try again or use another card.`,
      },
      rejected: {
        title: 'Your bank refused the confirmation',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
      issuer_unavailable: {
        title: 'Your bank does not answer',
        detail: `${nothingCharged} Try again in a few minutes or use another card.`,
      },
      not_enrolled: {
        title: 'This card does not support secure online payments',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
    },
  }
}

function portuguese(): Refusals {
  const nothingCharged = 'Não lhe foi cobrado nada.'
  const otherCard = 'Use outro cartão'
  const orAskBank = 'ou fale com o seu banco.'
  return {
    declined: {
      do_not_honour: {
        title: 'O banco recusou o pagamento',
        detail: `${nothingCharged} O banco não indicou o motivo. ${otherCard} ${orAskBank}`,
      },
      insufficient_funds: {
        title: 'O cartão não tem saldo suficiente',
        detail: `${nothingCharged} ${otherCard} ou tente de novo depois de carregar a conta.`,
      },
      expired_card: {
        title: 'O cartão está fora de validade',
        detail: `${nothingCharged} Confirme a validade que introduziu ou use outro cartão.`,
      },
      lost_or_stolen: {
        title: 'Este cartão não pode ser usado',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
      wrong_security_code: {
        title: 'O código de segurança não está correto',
        detail: `${nothingCharged} Confirme o código no cartão e tente de novo.`,
      },
      invalid_card: {
        title: 'O banco não reconhece este cartão',
        detail: `${nothingCharged} Confirme o número e a validade ou use outro cartão.`,
      },
      limit_exceeded: {
        title: 'O limite do cartão foi ultrapassado',
        detail: `${nothingCharged} ${otherCard} ou aumente o limite na aplicação do seu banco.`,
      },
      not_permitted: {
        title: 'Este cartão não permite este pagamento',
        detail: `${nothingCharged} ${otherCard} ou veja na aplicação do seu banco se os pagamentos online estão ativos.`,
      },
      amount_too_small: {
        title: 'O valor é demasiado baixo para um cartão',
        detail: `${nothingCharged} Escolha outra forma de pagar ou fale com a loja.`,
      },
      amount_too_large: {
        title: 'O valor é demasiado alto para um cartão',
        detail: `${nothingCharged} Escolha outra forma de pagar ou fale com a loja.`,
      },
      suspected_fraud: {
        title: 'O banco bloqueou este pagamento',
        detail: `${nothingCharged} Fale com o seu banco para o autorizar ou use outro cartão.`,
      },
      authentication_required: {
        title: 'O banco quer confirmar a sua identidade',
        detail: `${nothingCharged} Tente de novo e confirme o pagamento junto do seu banco.`,
      },
    },
    authenticationFailed: {
      failed: {
        title: 'O banco não conseguiu confirmar a sua identidade',
        detail: `${nothingCharged} Tente de novo ou use outro cartão.`,
      },
      cancelled: {
        title: 'A confirmação foi cancelada',
        detail: `${nothingCharged} Pode tentar de novo ou usar outro cartão.`,
      },
      rejected: {
        title: 'O banco recusou a confirmação',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
      issuer_unavailable: {
        title: 'O seu banco não responde',
        detail: `${nothingCharged} Tente de novo dentro de alguns minutos ou use outro cartão.`,
      },
      not_enrolled: {
        title: 'Este cartão não permite pagamentos seguros online',
        detail: `${nothingCharged} ${otherCard} ${orAskBank}`,
      },
    },
  }
}

export const refusals: Readonly<Record<Locale, Refusals>> = { pt: portuguese(), en: english() }
