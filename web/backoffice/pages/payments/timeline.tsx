// History of a payment.
import { Stack, Text, Timeline } from '@mantine/core'
import type { ListedPayment, StoryMoment } from '../../../../src/backoffice/contract/payments.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { StatusBadge } from '../../kit/status.tsx'
import { teamTexts } from '../team/i18n.ts'
import { paymentTexts } from './i18n.ts'
import { Postings } from './postings.tsx'
import { storyWords } from './story-words.ts'

export function PaymentTimeline({
  moments,
  family,
  own,
}: {
  readonly moments: readonly StoryMoment[]
  readonly family: readonly ListedPayment[]
  readonly own: string
}) {
  const t = useTexts(paymentTexts)
  const typeOf = (id: string) => {
    const type = family.find((one) => one.id === id)?.type
    return type === undefined ? '' : (t.types[type] ?? type)
  }
  return (
    <Timeline bulletSize={14} lineWidth={2} active={moments.length}>
      {moments.map((moment, index) => (
        <Moment
          // biome-ignore lint/suspicious/noArrayIndexKey: moments are appended, never moved
          key={index}
          moment={moment}
          of={moment.operation === own && moment.kind !== 'made' ? '' : typeOf(moment.operation)}
        />
      ))}
    </Timeline>
  )
}

/** The value of these moments is a status, which has a label. */
const withStatus: ReadonlySet<string> = new Set(['settled', 'event', 'attempt', 'attempt_ended'])
/** The value of these moments is a text of the provider, or has a label of its own. */
const withPlainWord: ReadonlySet<string> = new Set(['delivery', 'provider_answered', 'provider_reported'])
const bad = new Set(['FAIL', 'DECLINED', 'GIVEN_UP', 'VOIDED', 'unanswered', 'TO_REVERSE'])

function Moment({ moment, of, ...item }: { readonly moment: StoryMoment; readonly of: string }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { kind, word, facts, postings, at } = moment
  const title = [of, useTitle(moment)].filter(Boolean).join(kind === 'made' ? ' ' : ' · ')
  const isBad = word !== undefined && (bad.has(word) || /^[45]\d\d$/.test(word))
  return (
    <Timeline.Item
      {...item}
      {...(isBad && { color: 'red' })}
      title={
        <>
          {title}
          {word !== undefined && withStatus.has(kind) && (
            <>
              {' '}
              <StatusBadge status={word} />
            </>
          )}
          {word !== undefined && withPlainWord.has(kind) && (
            <Text span c={isBad ? 'red' : 'dimmed'} fw={600}>
              {' '}
              {t.words[word] ?? word}
            </Text>
          )}
        </>
      }
    >
      <Stack gap={2}>
        <Text size="xs" c="dimmed" className="number">
          {format.second(at)}
        </Text>
        {Object.entries(facts)
          .filter(([name]) => !inTitle.has(name))
          .map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        {postings !== undefined && <Postings postings={postings} />}
      </Stack>
    </Timeline.Item>
  )
}

const inTitle: ReadonlySet<string> = new Set(['who', 'role'])

function useTitle({ kind, facts }: StoryMoment): string {
  const t = useTexts(paymentTexts)
  const { roles } = useTexts(teamTexts)
  const { who, role } = facts
  if (kind !== 'asked' || who === undefined) return t.kinds[kind] ?? kind
  const as = role === undefined ? undefined : roles[role as keyof typeof roles]
  return t.askedBy(as === undefined ? who : `${who} (${as})`)
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  const t = useTexts(paymentTexts)
  const words = useTexts(storyWords)[name]?.[value]
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed">
        {t.factNames[name] ?? name}:
      </Text>{' '}
      {name === 'method' ? (t.methods[value] ?? value) : (words ?? value)}
      {words !== undefined && (
        <Text span size="xs" c="dimmed" className="identifier">
          {' '}
          {value}
        </Text>
      )}
    </Text>
  )
}
