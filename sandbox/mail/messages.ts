// Texts of the post box.
import type { Language } from '../issuer/messages.ts'

export const mailWords: Readonly<
  Record<
    Language,
    {
      readonly title: string
      readonly lead: string
      readonly none: string
      readonly recipient: string
      readonly subject: string
      readonly taken: string
      readonly asHtml: string
      readonly asText: string
      readonly headers: string
      readonly back: string
      readonly missing: string
      readonly trials: string
    }
  >
> = {
  en: {
    title: 'Post box',
    lead: 'Mail of the gateway to customers, merchants and teams. Nothing leaves the sandbox.',
    none: 'No mail yet. Turn a kind on in the backoffice under Mail, then make a payment with an e-mail address.',
    recipient: 'To',
    subject: 'Subject',
    taken: 'Received',
    asHtml: 'Open as HTML',
    asText: 'Text',
    headers: 'Headers',
    back: 'All mail',
    missing: 'There is no such mail',
    trials:
      'Mail to refused@… is refused for good, and mail to later@… is taken at the second attempt. Move the clock by a minute for it.',
  },
  pt: {
    title: 'Correio',
    lead: 'E-mails do gateway para clientes, lojas e equipas. Nada sai da sandbox.',
    none: 'Ainda não há e-mails. Ligue um tipo no backoffice, em E-mail, e faça um pagamento com um endereço.',
    recipient: 'Para',
    subject: 'Assunto',
    taken: 'Recebido',
    asHtml: 'Abrir como HTML',
    asText: 'Texto',
    headers: 'Cabeçalhos',
    back: 'Todos os e-mails',
    missing: 'Este e-mail não existe',
    trials:
      'O e-mail para refused@… é recusado de vez, e o e-mail para later@… é aceite à segunda tentativa. Para isso, avance o relógio um minuto.',
  },
}
