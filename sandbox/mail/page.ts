// The post box's pages.
import { html } from 'ghtml'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { timeInWords } from '../pages/time.ts'
import { mailWords } from './messages.ts'
import type { BoxedMail } from './model.ts'

export const mailPath = '/sandbox/mail'

/** The part of a Message-ID before the `@` is the id of the mail. */
export function idOfMail({ messageId }: Pick<BoxedMail, 'messageId'>): string {
  return messageId.replace(/^<|@.*$/g, '')
}

export function boxPage(mails: readonly BoxedMail[], lang: Language): string {
  const words = mailWords[lang]
  const rows = mails.map(
    (mail) => html`
      <tr>
        <td><a href="${mailPath}/${idOfMail(mail)}?lang=${lang}">${mail.subject}</a></td>
        <td>${mail.recipient}</td>
        <td>${timeInWords(mail.takenAt, lang)}</td>
      </tr>`,
  )
  return toolPage({
    title: words.title,
    path: mailPath,
    lang,
    body: html`
      <p class="lead">${words.lead}</p>
      <p class="muted">${words.trials}</p>
      !${mails.length === 0 ? html`<p class="note">${words.none}</p>` : tableOf({ name: words.title, heads: [words.subject, words.recipient, words.taken], rows })}`,
  })
}

export function mailPage(mail: BoxedMail | undefined, lang: Language): string {
  const words = mailWords[lang]
  const back = html`<p><a href="${mailPath}?lang=${lang}">${words.back}</a></p>`
  if (mail === undefined)
    return toolPage({
      title: words.title,
      path: mailPath,
      lang,
      body: html`<p class="note">${words.missing}</p>!${back}`,
    })
  const path = `${mailPath}/${idOfMail(mail)}`
  return toolPage({
    title: mail.subject,
    path,
    lang,
    body: html`
      <p class="muted">${words.recipient}: ${mail.recipient}</p>
      <p><a class="button" href="${path}/html">${words.asHtml}</a></p>
      <h2>${words.asText}</h2>
      <pre class="wrapped">${mail.text}</pre>
      <h2>${words.headers}</h2>
      <pre class="wrapped">${mail.headers}</pre>
      !${back}`,
  })
}
