// A message in the format of the internet (RFC 5322), with HTML and text.
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Instant } from '../../kernel/time.ts'
import type { OutgoingMail } from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { From, Language } from '../model.ts'
import { oneLine, readAddress } from '../rules.ts'
import type { Sender } from './content.ts'
import { htmlOf, textOf } from './layout.ts'
import { mailMessages } from './messages.ts'
import type { WrittenMail } from './write.ts'

/** The colour of the gateway's own pages. */
const colourDefault = '#0b5563'
const nameLengthMax = 60

export interface Addressed {
  readonly id: string
  readonly to: string
  readonly from: From
  readonly wallet: Wallet | undefined
  readonly language: Language
  readonly written: WrittenMail
  readonly stopUrl?: string | undefined
  /** The date is the same in every attempt, so that a message that is sent twice is identical. */
  readonly date: Instant
}

export type BuiltMessage = Omit<OutgoingMail, 'envelope' | 'opensAccount'>

/** Builds the bytes of a message. Every attempt of a mail has the same Message-ID, so that servers recognize a repetition. */
export async function buildMessage(addressed: Addressed): Promise<BuiltMessage> {
  const { id, to, from, wallet, language, written, stopUrl, date } = addressed
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageId = `<${id}@${domain}>`
  const root = `<thread.${written.thread}@${domain}>`
  const sender = senderOf(wallet, from)
  const layout = { content: written.content, sender, language, stopUrl, messages: mailMessages[language] }
  const parts = { subject: oneLine(written.content.title), text: textOf(layout), html: htmlOf(layout) }
  const replyTo = readAddress(wallet?.supportEmail)
  const message = new MailComposer({
    from: { name: displayName(sender.name), address: from.address },
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject: parts.subject,
    messageId,
    inReplyTo: root,
    references: root,
    date: new Date(date),
    text: parts.text,
    html: parts.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language === 'pt' ? 'pt-PT' : 'en',
      ...(stopUrl !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${stopUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    // With a fixed boundary, all attempts are equal to the byte.
    baseBoundary: id,
    newline: 'win',
  })
  return { raw: await message.compile().build(), messageId, parts }
}

/** A name can look like an address in a list of mail, so these characters are left out. */
function displayName(name: string): string {
  return oneLine(name, nameLengthMax).replace(/["<>@\\]/g, '')
}

function senderOf(wallet: Wallet | undefined, from: From): Sender {
  if (wallet === undefined) return { name: from.name ?? 'Comporta', colour: colourDefault, contacts: [] }
  const { name, brandColour, supportEmail, supportPhone, supportUrl } = wallet
  const contacts = [supportEmail, supportPhone, supportUrl].filter((contact) => contact !== null)
  return {
    name: oneLine(name),
    colour: brandColour ?? colourDefault,
    contacts: contacts.map((one) => oneLine(one)),
  }
}
