// What waits to be worked, by kind.
import type { QueuesAnswer } from '../../../../../src/backoffice/contract/operator/home.ts'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { useFormats } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/language.ts'
import { DataTable, useOperatorQuery } from '../parts.tsx'
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
            heads={[t.kind, t.waiting, t.due, t.oldest]}
            rows={queues.map(({ kind, waiting, due, oldest }) => ({
              key: kind,
              cells: [
                kind,
                format.number(waiting),
                format.number(due),
                <span key="oldest" className="number">
                  {oldest === null ? '–' : format.moment(oldest)}
                </span>,
              ],
            }))}
          />
        )}
      </Loaded>
    </>
  )
}
