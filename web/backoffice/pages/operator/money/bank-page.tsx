// Bank files, unmatched entries and statement differences.
import { Button, Checkbox, FileButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type {
  BankAnswer,
  BankFileAnswer,
  ExportedAnswer,
  ImportedAnswer,
} from '../../../../../src/backoffice/contract/operator/money.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { base64Of } from '../../../kit/base64.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { useNotify } from '../../../kit/notify.ts'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { Problem } from '../../../shell/problems.tsx'
import { useOperatorQuery, useOperatorVerb, VerbForm } from '../parts.tsx'
import { moneyTexts } from './money-texts.ts'
import { OpenOrders } from './open-orders.tsx'
import { Part } from './part.tsx'

interface Asked {
  readonly path: string
  readonly mayBeTransfer: boolean
  readonly title: string
}

export function Page() {
  const t = useTexts(moneyTexts)
  const say = useNotify()
  const query = useOperatorQuery<BankAnswer>('/bank')
  const [asked, setAsked] = useState<Asked>()
  const downloading = useOperatorVerb<BankFileAnswer, string>(
    (name) => ['/bank/download', { body: { name } }],
    { done: ({ name, content }) => save(name, content) },
  )
  const importing = useOperatorVerb<ImportedAnswer, { name: string; content: string }>(
    (file) => ['/bank/import', { body: { ...file, encoding: 'base64' } }],
    {
      done: (done) => say(t.importedText(done.entries, done.matched, done.unmatched)),
    },
  )
  async function upload(file: File | null) {
    if (file !== null) importing.mutate({ name: file.name, content: await base64Of(file) })
  }
  const failed = importing.error ?? downloading.error
  return (
    <>
      <PageHead
        title={t.bank}
        about={t.bankAbout}
        actions={
          <>
            <FileButton accept=".xml,text/xml,application/xml" onChange={(file) => void upload(file)}>
              {(props) => (
                <Button {...props} variant="default" loading={importing.isPending}>
                  {t.importFile}
                </Button>
              )}
            </FileButton>
            {query.data && <WriteFiles waiting={query.data.waiting} />}
          </>
        }
      />
      {failed !== null && <Problem error={failed} />}
      <Loaded query={query}>
        {(answer) => <Lists answer={answer} ask={setAsked} download={downloading.mutate} />}
      </Loaded>
      <Dialog opened={asked !== undefined} close={() => setAsked(undefined)} title={asked?.title ?? ''}>
        {asked && <NoteForm asked={asked} close={() => setAsked(undefined)} />}
      </Dialog>
    </>
  )
}

function WriteFiles({ waiting }: Pick<BankAnswer, 'waiting'>) {
  const t = useTexts(moneyTexts)
  const say = useNotify()
  const format = useFormats()
  const [isAsking, setIsAsking] = useState(false)
  const exporting = useOperatorVerb<ExportedAnswer>(() => ['/bank/export', { body: {} }], {
    done({ files }) {
      say(t.exported(files.length))
      setIsAsking(false)
    },
  })
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t.exportFiles}</Button>
      <Dialog opened={isAsking} close={() => setIsAsking(false)} title={t.exportFiles}>
        <Stack>
          {waiting.length === 0 ? (
            <Text size="sm">{t.exported(0)}</Text>
          ) : (
            waiting.map(({ kind, orders, total }) => (
              <Text key={kind} size="sm">
                {t.waiting(t.orderKinds[kind] ?? kind, orders, format.money(total))}
              </Text>
            ))
          )}
          <Text size="sm" c="dimmed">
            {t.exportAbout}
          </Text>
          {exporting.error !== null && <Problem error={exporting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsking(false)}>
              {t.cancel}
            </Button>
            <Button
              disabled={waiting.length === 0}
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              {t.writeNow}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/xml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

function Lists({
  answer,
  ask,
  download,
}: {
  readonly answer: BankAnswer
  readonly ask: (asked: Asked) => void
  readonly download: (name: string) => void
}) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  const closing = (label: string, asked: Asked) => (
    <Button size="xs" variant="default" onClick={() => ask(asked)}>
      {label}
    </Button>
  )
  return (
    <Stack gap="xl">
      <Part
        title={t.unmatched}
        none={t.noUnmatched}
        columns={[
          { head: t.day, kind: 'line', cell: (one) => one.booked_on && format.day(one.booked_on) },
          {
            head: t.amount,
            kind: 'amount',
            cell: (one) =>
              `${one.direction === 'debit' && Number(one.amount) !== 0 ? '−' : ''}${format.money(one.amount)}`,
          },
          { head: t.who, cell: ({ name }) => name },
          { head: t.text, cell: ({ text }) => text },
          { head: t.problem, cell: ({ problem }) => problem },
          {
            head: t.whatToDo,
            kind: 'actions',
            cell: (one) =>
              closing(t.close, {
                path: `/bank/entries/${one.id}/resolve`,
                mayBeTransfer: one.direction === 'credit',
                title: t.closeTitle,
              }),
          },
        ]}
        rows={answer.unmatched}
        keyOf={({ id }) => id}
      />
      <OpenOrders orders={answer.open} />
      <Part
        title={t.differences}
        none={t.noDifferences}
        columns={[
          { head: t.day, kind: 'line', cell: ({ day }) => day && format.day(day) },
          { head: t.connection, kind: 'line', cell: ({ connection }) => connection },
          { head: t.kind, cell: ({ kind }) => kind },
          { head: t.ledger, kind: 'amount', cell: ({ ledger }) => format.money(ledger) },
          { head: t.statement, kind: 'amount', cell: ({ statement }) => format.money(statement) },
          { head: t.about, kind: 'identifier', cell: ({ about }) => about },
          {
            head: t.whatToDo,
            kind: 'actions',
            cell: ({ id }) =>
              closing(t.explain, {
                path: `/differences/${id}/explain`,
                mayBeTransfer: false,
                title: t.explain,
              }),
          },
        ]}
        rows={answer.differences}
        keyOf={({ id }) => String(id)}
      />
      <WrittenFiles files={answer.exported} download={download} />
      <Part
        title={t.imported}
        none={t.noImported}
        columns={[
          { head: t.when, kind: 'line', cell: ({ imported }) => format.moment(imported) },
          { head: t.file, kind: 'identifier', cell: ({ name }) => name },
          { head: t.kind, cell: ({ kind }) => kind },
        ]}
        rows={answer.imported}
        keyOf={({ id }) => id}
      />
    </Stack>
  )
}

interface WrittenFilesProps {
  readonly files: BankAnswer['exported']
  readonly download: (name: string) => void
}

function WrittenFiles({ files, download }: WrittenFilesProps) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  return (
    <Part
      title={t.written}
      none={t.noWritten}
      columns={[
        { head: t.when, kind: 'line', cell: ({ created }) => format.moment(created) },
        { head: t.file, kind: 'identifier', cell: ({ name }) => name },
        { head: t.orders, kind: 'amount', cell: ({ orders }) => orders },
        { head: t.total, kind: 'amount', cell: ({ total }) => format.money(total) },
        {
          head: t.whatToDo,
          kind: 'actions',
          cell: ({ name, written }) =>
            written !== null && (
              <Button
                size="xs"
                variant="default"
                aria-label={t.downloadOf(name)}
                onClick={() => download(name)}
              >
                {t.download}
              </Button>
            ),
        },
      ]}
      rows={files}
      keyOf={({ name }) => name}
    />
  )
}

function NoteForm({ asked, close }: { readonly asked: Asked; readonly close: () => void }) {
  const t = useTexts(moneyTexts)
  const [note, setNote] = useState('')
  const [asTransfer, setAsTransfer] = useState(false)
  const doing = useOperatorVerb(
    () => [asked.path, { body: asTransfer ? { as_transfer: true } : { note: note.trim() } }],
    { said: t.done, done: close },
  )
  return (
    <VerbForm doing={doing} label={asked.title} cancel={close}>
      {asked.mayBeTransfer && (
        <Checkbox
          label={t.asTransfer}
          checked={asTransfer}
          onChange={({ currentTarget: { checked } }) => setAsTransfer(checked)}
        />
      )}
      {!asTransfer && (
        <TextInput
          label={t.note}
          value={note}
          required
          maxLength={500}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      )}
    </VerbForm>
  )
}
