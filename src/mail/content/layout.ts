// The layout of a message: HTML and plain text.
import { html } from 'ghtml'
import { shadesOf } from '../../wallets/index.ts'
import type { Language } from '../model.ts'
import type { Content, Sender } from './content.ts'
import type { MailMessages } from './messages.ts'

export interface Layout {
  readonly content: Content
  readonly sender: Sender
  readonly language: Language
  readonly messages: Pick<MailMessages, 'contact' | 'stop'>
  readonly stopUrl?: string | undefined
}

const textWidth = 72

export function textOf({ content, sender, messages, stopUrl }: Layout): string {
  const { title, lead, rows, button, notes, reason } = content
  const parts = [
    sender.name,
    wrapped(title),
    wrapped(lead),
    rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    button === undefined ? '' : `${button.text}:\n${button.url}`,
    ...notes.map(wrapped),
    sender.contacts.length === 0 ? '' : wrapped(`${messages.contact}: ${sender.contacts.join(', ')}`),
    wrapped(reason),
    stopUrl === undefined ? '' : `${messages.stop}:\n${stopUrl}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > textWidth) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

/** The mail has no pictures. Loading one would tell its server who reads the mail, and most mail programs hide pictures. */
export function htmlOf({ content, sender, language, messages, stopUrl }: Layout): string {
  const { title, lead, rows, button, notes, reason } = content
  const { light, dark } = shadesOf(sender.colour)
  const row = ([label, value]: Content['rows'][number]) =>
    html`<tr><th class="soft" scope="row" align="left" style="padding:8px 12px 8px 0;font-weight:normal;vertical-align:top;color:#4b5a60">${label}</th><td align="right" style="padding:8px 0;vertical-align:top;font-weight:600;word-break:break-word">${value}</td></tr>`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
a { color: ${light.accent} }
@media (max-width: 480px) {
  .sheet { padding: 20px 16px !important }
  .ground { padding: 0 !important }
}
@media (prefers-color-scheme: dark) {
  .ground { background: #0f1518 !important }
  .sheet { background: #172024 !important; color: #e8eef0 !important }
  .soft { color: #aebbc0 !important }
  .name { color: ${dark.accent} !important; border-color: ${dark.accent} !important }
  .button { background: ${dark.accent} !important; color: ${dark.onAccent} !important }
  a { color: ${dark.accent} }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f2f5f6">
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f5f6;padding:24px 12px"><tr><td align="center">
<table class="sheet" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;color:#172024;padding:28px;border-radius:8px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5"><tr><td>
<p class="name" style="margin:0 0 20px;padding:0 0 12px;border-bottom:3px solid ${light.accent};color:${light.accent};font-size:18px;font-weight:700;word-break:break-word"><bdi>${sender.name}</bdi></p>
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;word-break:break-word">${title}</h1>
<p style="margin:0 0 16px;word-break:break-word">${lead}</p>
!${rows.length === 0 ? '' : html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:16px;line-height:1.5">!${rows.map(row)}</table>`}
!${button === undefined ? '' : html`<p style="margin:8px 0 20px"><a class="button" href="${button.url}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${light.accent};color:${light.onAccent};text-decoration:none;font-weight:600">${button.text}</a></p><p class="soft" style="margin:0 0 16px;font-size:14px;color:#4b5a60;word-break:break-all">${button.url}</p>`}
!${notes.map((note) => html`<p style="margin:0 0 12px">${note}</p>`)}
!${sender.contacts.length === 0 ? '' : html`<p style="margin:0 0 12px;word-break:break-word">${messages.contact}: ${sender.contacts.join(', ')}</p>`}
<p class="soft" style="margin:20px 0 0;font-size:13px;color:#4b5a60;word-break:break-word">${reason}!${stopUrl === undefined ? '' : html`<br><a href="${stopUrl}">${messages.stop}</a>`}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}
