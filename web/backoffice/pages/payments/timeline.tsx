// What happened to a payment, moment by moment, as every module wrote it down.
import { Stack, Text, Timeline } from '@mantine/core'
import type { ListedPayment, StoryMoment } from '../../../../src/backoffice/contract/payments.ts'
import { StatusBadge } from '../../kit/status.tsx'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { Postings } from './postings.tsx'
import { paymentTexts } from './texts.ts'

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

/** Their word is a status or a state. */
const withStatus: ReadonlySet<string> = new Set(['settled', 'event', 'attempt', 'attempt_ended'])
/** Their word is somebody else's, or one of the texts. */
const withPlainWord: ReadonlySet<string> = new Set(['delivery', 'provider_answered', 'provider_reported'])
const bad = new Set(['FAIL', 'DECLINED', 'GIVEN_UP', 'VOIDED', 'unanswered', 'TO_REVERSE'])

function Moment({ moment, of, ...item }: { readonly moment: StoryMoment; readonly of: string }) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { kind, word, facts, postings, at } = moment
  const title = kind === 'made' ? `${of} ${t.kinds[kind]}` : [of, t.kinds[kind]].filter(Boolean).join(' · ')
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
          {format.moment(at)}
        </Text>
        {Object.entries(facts).map(([name, value]) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span c="dimmed">
              {t.factNames[name] ?? name}:
            </Text>{' '}
            {value}
          </Text>
        ))}
        {postings !== undefined && <Postings postings={postings} />}
      </Stack>
    </Timeline.Item>
  )
}
