// Work queues.
import { Text } from '@mantine/core'
import type { QueuesAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { DataTable } from '../../../kit/table.tsx'
import { useOperatorQuery } from '../parts.tsx'
import { systemTexts } from './system-texts.ts'

const everyMs = 10_000

export function Page() {
  const t = useTexts(systemTexts)
  const format = useFormats()
  const query = useOperatorQuery<QueuesAnswer>('/queues', () => everyMs)
  return (
    <>
      <PageHead title={t.queues} about={t.queuesAbout} />
      <Loaded query={query}>
        {({ queues }) => (
          <DataTable
            label={t.queues}
            minWidth={480}
            columns={[
              {
                head: t.kind,
                cell: ({ kind }) => (
                  <>
                    {t.queueNames[kind]}{' '}
                    <Text span size="xs" c="dimmed" ff="monospace">
                      {kind}
                    </Text>
                  </>
                ),
              },
              { head: t.waiting, kind: 'amount', cell: ({ waiting }) => format.number(waiting) },
              { head: t.due, kind: 'amount', cell: ({ due }) => format.number(due) },
              { head: t.oldest, kind: 'line', cell: ({ oldest }) => oldest && format.moment(oldest) },
            ]}
            rows={queues}
            keyOf={({ kind }) => kind}
          />
        )}
      </Loaded>
    </>
  )
}
