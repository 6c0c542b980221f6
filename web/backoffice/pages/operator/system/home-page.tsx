// Home page of the operator.
import { Anchor, Badge, Paper, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OperatorHomeAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { useOperatorQuery } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

const everyMs = 30_000

export function Page() {
  const t = useTexts(systemTexts)
  const query = useOperatorQuery<OperatorHomeAnswer>('/home', () => everyMs)
  return (
    <>
      <PageHead title={t.home} about={t.homeAbout} />
      <Loaded query={query}>{(answer) => <Tiles answer={answer} />}</Loaded>
    </>
  )
}

function Tiles({ answer }: { readonly answer: OperatorHomeAnswer }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  const waiting = [
    [t.suspense, answer.suspense, '/operator/suspense'],
    [t.transfers, answer.transfers, '/operator/suspense'],
    [t.unmatched, answer.unmatched, '/operator/bank'],
    [t.differences, answer.differences, '/operator/bank'],
    [t.failedCallbacks, answer.failed_callbacks, '/operator/deliveries'],
  ] as const
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <Tile
        title={t.merchants}
        to="/operator/merchants"
        value={format.number(answer.merchants)}
        note={t.suspended(answer.suspended)}
        color={undefined}
      />
      <AuditTile audit={answer.audit} />
      {answer.failover === null ? null : (
        <Tile
          title={t.failover}
          to="/operator/queues"
          value={format.moment(answer.failover)}
          note={t.tookOver}
          color="yellow"
        />
      )}
      {waiting.map(([title, count, to]) => (
        <Tile
          key={title}
          title={title}
          to={to}
          value={format.number(count)}
          note={count === 0 ? t.nothingToDo : t.toDo}
          color={count === 0 ? 'green' : 'yellow'}
        />
      ))}
    </SimpleGrid>
  )
}

function AuditTile({ audit }: { readonly audit: OperatorHomeAnswer['audit'] }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  const common = { title: t.audit, to: '/operator/audit' }
  if (audit === null) return <Tile {...common} value="–" note={t.neverRan} color="yellow" />
  const value = format.moment(audit.at)
  if (audit.running) return <Tile {...common} value={value} note={t.running} color="blue" />
  if (audit.error !== null) return <Tile {...common} value={value} note={t.unfinished} color="yellow" />
  const isFine = audit.problems === 0
  return (
    <Tile
      {...common}
      value={value}
      note={isFine ? t.fine : t.problems(audit.problems)}
      color={isFine ? 'green' : 'red'}
    />
  )
}

interface TileProps {
  readonly title: string
  readonly to: string
  readonly value: string
  readonly note: string
  readonly color: string | undefined
}

function Tile({ title, to, value, note, color }: TileProps) {
  return (
    <Paper withBorder p="md">
      <Anchor component={Link} to={to} size="sm">
        {title}
      </Anchor>
      <Text fz="xl" fw={650} className="number">
        {value}
      </Text>
      {color === undefined ? (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      ) : (
        <Badge variant="light" color={color} tt="none">
          {note}
        </Badge>
      )}
    </Paper>
  )
}
