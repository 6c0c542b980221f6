// Activity log of all merchants.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AllActionsAnswer } from '../../../../src/backoffice/contract/operator/audit.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Endless, useEndless } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { Actor, Outcome } from '../team/action-log.tsx'
import { actionNames } from '../team/action-names.ts'
import { ActionObject } from '../team/action-object.tsx'
import { teamTexts } from '../team/i18n.ts'
import { auditTexts } from './audit-texts.ts'

export function Page() {
  const t = useTexts(auditTexts)
  const names = useTexts(actionNames)
  const { object } = useTexts(teamTexts)
  const format = useFormats()
  const query = useEndless<AllActionsAnswer>('/operator/actions')
  return (
    <>
      <PageHead title={t.actionsTitle} about={t.actionsAbout} />
      <Endless query={query} more={t.older}>
        {(pages) => {
          const actions = pages.flatMap((page) => page.actions)
          if (actions.length === 0) return <Empty title={t.noActions}>{t.noActionsText}</Empty>
          return (
            <DataTable
              label={t.actionsTitle}
              columns={[
                { head: t.when, kind: 'line', cell: ({ at }) => format.moment(at) },
                { head: t.who, cell: (one) => <Actor {...one} /> },
                { head: t.what, cell: ({ action }) => names[action] ?? action },
                { head: object, cell: (one) => <ActionObject {...one} /> },
                {
                  head: t.merchant,
                  kind: 'line',
                  cell: (one) =>
                    one.wallet_id !== null && (
                      <Anchor component={Link} to={`/operator/merchants/${one.wallet_id}`}>
                        {one.wallet_id}
                      </Anchor>
                    ),
                },
                { head: t.result, cell: ({ status }) => <Outcome status={status} /> },
              ]}
              rows={actions}
              keyOf={({ id }) => id}
            />
          )
        }}
      </Endless>
    </>
  )
}
