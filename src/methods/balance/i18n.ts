// The texts of WALLET.
import type { Locale } from '../../pages/index.ts'

const pt = {
  explained: 'Entre com o e-mail e o PIN da sua carteira. O montante sai de imediato do saldo.',
  explainedAccepting:
    'Entre com o e-mail e o PIN da sua carteira. Agora não paga nada. As cobranças posteriores saem do saldo.',
  wrongPin: {
    title: 'O e-mail ou o PIN está errado',
    detail:
      'Não lhe foi cobrado nada. Confirme ambos. Ao terceiro PIN errado a carteira fica bloqueada 24 horas.',
  },
  locked: {
    title: 'A carteira está bloqueada',
    detail:
      'Não lhe foi cobrado nada. O PIN foi introduzido errado três vezes. Pode usar a carteira dentro de 24 horas. Até lá, escolha outro método.',
  },
  notEnough: {
    title: 'O saldo não é suficiente',
    detail: 'Não lhe foi cobrado nada. Carregue a carteira por transferência ou escolha outro método.',
  },
}

export const balanceTexts: Readonly<Record<Locale, typeof pt>> = {
  pt,
  en: {
    explained:
      'Log in with the e-mail and the PIN of your wallet. The amount leaves the balance immediately.',
    explainedAccepting:
      'Log in with the e-mail and the PIN of your wallet. You pay nothing now. Later charges leave the balance.',
    wrongPin: {
      title: 'The e-mail or the PIN is wrong',
      detail: 'You have not been charged. Check both. The third wrong PIN locks the wallet for 24 hours.',
    },
    locked: {
      title: 'The wallet is locked',
      detail:
        'You have not been charged. The PIN was wrong three times. You can use the wallet again within 24 hours. Until then choose another method.',
    },
    notEnough: {
      title: 'The balance is too small',
      detail: 'You have not been charged. Top the wallet up by transfer or choose another method.',
    },
  },
}
