// Requests and answers of mail.
import { Type } from 'typebox'
import {
  dateOnWire,
  documented,
  exampleId,
  exampleMoment,
  idField,
  momentField,
  pageQuery,
  wordField,
} from '../http/index.ts'
import { audienceOf, type Mail, type MailKind, mailKinds, mailStates } from './model.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const kindSchema = Type.Object(
  {
    kind: wordField(mailKinds, 'The kind of mail.'),
    audience: wordField(
      ['customer', 'merchant', 'team'] as const,
      'Reader: your customer, the e-mail address of your wallet, or a person of your team.',
    ),
    enabled: Type.Boolean({ description: 'Whether the gateway sends it.' }),
  },
  { title: 'MailSwitch', description: 'A kind of mail with its switch.' },
)

export const kindsSchema = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'Number of kinds.' }),
    elements: Type.Array(kindSchema, { description: 'All kinds.' }),
  },
  { title: 'MailSwitchList', description: 'All kinds of mail with their switches.' },
)

export const kindExample = { kind: 'receipt', audience: 'customer', enabled: true }

export const switchBody = Type.Object(
  { enabled: Type.Boolean({ description: 'Whether the gateway sends mail of this kind.' }) },
  {
    title: 'MailSwitchRequest',
    description: 'The new position of the switch.',
    examples: [{ enabled: true }],
  },
)

export const mailSchema = Type.Object(
  {
    id: idField('Id of the mail. Also the first part of its `Message-ID`.'),
    kind: wordField(mailKinds, 'The kind of mail.'),
    status: wordField(
      mailStates,
      'WAITING: not sent yet. SENT: the mail server took it. REFUSED: the mail server refused it for good. GIVEN_UP: no attempt succeeded within two days. SKIPPED: there was nothing to send, see `reason`.',
    ),
    subject_id: idField('The operation, charge, subscription, payment link or invitation that it is about.'),
    recipient: text('Address of the reader. Absent until the first attempt.'),
    title: text('Subject line. Absent until the first attempt.'),
    language: text('Language: pt or en. Absent until the first attempt.'),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    smtp_code: Type.Optional(Type.Integer({ description: 'Last code of the mail server, such as 550.' })),
    reason: Type.Optional(
      Type.String({
        description: 'Reason for a status other than SENT: the text of the mail server, or a word.',
        examples: ['550 5.1.1 No such mailbox'],
      }),
    ),
    date: momentField('Time of its cause.'),
    next_attempt: Type.Optional(momentField('Time of the next attempt.')),
    finished: Type.Optional(momentField('Time of the last status.')),
  },
  { title: 'Mail', description: 'A mail of your wallet.' },
)

export const mailExample = {
  id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  kind: 'receipt',
  status: 'SENT',
  subject_id: exampleId,
  recipient: 'ana@example.com',
  title: 'Payment of €9.99 to Livraria do Cais',
  language: 'en',
  attempts: 1,
  smtp_code: 250,
  date: exampleMoment,
  finished: exampleMoment,
}

const words = (list: readonly string[]) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 30 })], {
      description: `Filter: one or more of ${list.join(', ')}.`,
      ...documented({
        anyOf: undefined,
        type: 'array',
        items: { type: 'string', enum: list },
        maxItems: 30,
      }),
    }),
  )

export const mailQuery = Type.Object({
  ...pageQuery,
  status: words(mailStates),
  kind: words(mailKinds),
  subject_id: Type.Optional(
    Type.String({ description: 'Filter: id of the operation, charge, subscription or link.' }),
  ),
})

export function kindOnWire(kind: MailKind, enabled: boolean) {
  return { kind, audience: audienceOf(kind), enabled }
}

export function mailOnWire(mail: Mail): Record<string, unknown> {
  const { dueAt, finishedAt, lastStatus } = mail
  return {
    id: mail.id,
    kind: mail.kind,
    status: mail.state,
    subject_id: mail.subject,
    recipient: mail.recipient,
    title: mail.title,
    language: mail.language,
    attempts: mail.attempts,
    smtp_code: lastStatus,
    reason: mail.lastError,
    date: dateOnWire(mail.createdAt),
    ...(dueAt !== undefined && { next_attempt: dateOnWire(dueAt) }),
    ...(finishedAt !== undefined && { finished: dateOnWire(finishedAt) }),
  }
}
