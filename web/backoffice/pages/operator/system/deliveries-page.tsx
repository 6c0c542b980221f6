// Callback addresses of all merchants that fail.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { QueuesAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Empty, Loaded, PageHead } from '../../../kit/page.tsx'
import { DataTable } from '../../../kit/table.tsx'
import { useOperatorQuery } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

const everyMs = 10_000

export function Page() {
  const t = useTexts(systemTexts)
  const query = useOperatorQuery<QueuesAnswer>('/queues', () => everyMs)
  return (
    <>
      <PageHead title={t.callbacks} about={t.callbacksAbout} />
      <Loaded query={query}>
        {({ callbacks }) =>
          callbacks.length === 0 ? (
            <Empty title={t.allReached}>{t.allReachedText}</Empty>
          ) : (
            <Endpoints callbacks={callbacks} />
          )
        }
      </Loaded>
    </>
  )
}

function Endpoints({ callbacks }: { readonly callbacks: QueuesAnswer['callbacks'] }) {
  const t = useTexts(systemTexts)
  const format = useFormats()
  const endpointOf = (lane: string) => (lane === 'wallet' ? t.own : lane === 'card' ? t.ownCards : lane)
  return (
    <DataTable
      label={t.callbacks}
      minWidth={760}
      columns={[
        {
          head: t.wallet,
          kind: 'line',
          cell: (one) => (
            <Anchor component={Link} to={`/operator/merchants/${one.wallet_id}`}>
              {one.wallet_id}
            </Anchor>
          ),
        },
        { head: t.endpoint, cell: ({ lane }) => endpointOf(lane) },
        { head: t.backlog, kind: 'amount', cell: ({ backlog }) => format.number(backlog) },
        { head: t.givenUp, kind: 'amount', cell: (one) => format.number(one.given_up) },
        { head: t.oldest, kind: 'line', cell: ({ oldest }) => oldest && format.moment(oldest) },
        { head: t.answer, cell: (one) => one.last_status ?? one.last_error },
      ]}
      rows={callbacks}
      keyOf={(one) => `${one.wallet_id} ${one.lane}`}
    />
  )
}
