// The bank's files: written, imported, what nothing matches, and differences to providers' statements.
import { Button, Checkbox, FileButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type {
  BankAnswer,
  ExportedAnswer,
  ImportedAnswer,
} from '../../../../../src/backoffice/contract/operator/money.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { Loaded, PageHead } from '../../../kit/page.tsx'
import { useSay } from '../../../kit/say.ts'
import { Problem } from '../../../shell/problems.tsx'
import { useFormats } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/language.ts'
import { DataTable, type RowOfTable, useOperatorQuery, useOperatorVerb } from '../parts.tsx'
import { moneyTexts } from './money-texts.ts'

interface Asked {
  /** Where the note is sent. */
  readonly path: string
  readonly mayBeTransfer: boolean
  readonly title: string
}

export function Page() {
  const t = useTexts(moneyTexts)
  const say = useSay()
  const query = useOperatorQuery<BankAnswer>('/bank')
  const [asked, setAsked] = useState<Asked>()
  const exporting = useOperatorVerb<ExportedAnswer>(() => ['/bank/export', { body: {} }], {
    done: ({ files }) => say(t.exported(files.length)),
  })
  const importing = useOperatorVerb<ImportedAnswer, { name: string; content: string }>(
    (file) => ['/bank/import', { body: file }],
    {
      done: (done) => say(t.importedText(done.entries, done.matched, done.unmatched)),
    },
  )
  async function upload(file: File | null) {
    if (file !== null) importing.mutate({ name: file.name, content: await file.text() })
  }
  const failed = exporting.error ?? importing.error
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
            <Button loading={exporting.isPending} onClick={() => exporting.mutate()}>
              {t.exportFiles}
            </Button>
          </>
        }
      />
      {failed !== null && <Problem error={failed} />}
      <Loaded query={query}>{(answer) => <Lists answer={answer} ask={setAsked} />}</Loaded>
      <Dialog opened={asked !== undefined} close={() => setAsked(undefined)} title={asked?.title ?? ''}>
        {asked && <NoteForm asked={asked} close={() => setAsked(undefined)} />}
      </Dialog>
    </>
  )
}

function Lists({ answer, ask }: { readonly answer: BankAnswer; readonly ask: (asked: Asked) => void }) {
  const t = useTexts(moneyTexts)
  const format = useFormats()
  const number = (key: string, text: ReactNode) => (
    <span key={key} className="number">
      {text}
    </span>
  )
  const button = (label: string, asked: Asked) => (
    <Button key="verb" size="xs" variant="default" onClick={() => ask(asked)}>
      {label}
    </Button>
  )
  return (
    <Stack gap="xl">
      <Part
        title={t.unmatched}
        none={t.noUnmatched}
        heads={[t.day, t.amount, t.who, t.text, t.problem, t.whatToDo]}
        rows={answer.unmatched.map((one) => ({
          key: one.id,
          cells: [
            number('day', one.booked_on),
            number('amount', `${one.direction === 'debit' ? '−' : ''}${format.money(one.amount)}`),
            one.name,
            one.text,
            one.problem,
            button(t.close, {
              path: `/bank/entries/${one.id}/resolve`,
              mayBeTransfer: one.direction === 'credit',
              title: t.closeTitle,
            }),
          ],
        }))}
      />
      <Part
        title={t.differences}
        none={t.noDifferences}
        heads={[t.day, t.connection, t.kind, t.ledger, t.statement, t.about, t.whatToDo]}
        rows={answer.differences.map((one) => ({
          key: String(one.id),
          cells: [
            number('day', one.day),
            one.connection,
            one.kind,
            number('ledger', format.money(one.ledger)),
            number('statement', format.money(one.statement)),
            <span key="about" className="identifier">
              {one.about}
            </span>,
            button(t.explain, {
              path: `/differences/${one.id}/explain`,
              mayBeTransfer: false,
              title: t.explain,
            }),
          ],
        }))}
      />
      <Part
        title={t.written}
        none={t.noWritten}
        heads={[t.when, t.file, t.orders, t.total]}
        rows={answer.exported.map((one) => ({
          key: one.name,
          cells: [
            number('when', format.moment(one.created)),
            <span key="file" className="identifier">
              {one.name}
            </span>,
            one.orders,
            number('total', format.money(one.total)),
          ],
        }))}
      />
      <Part
        title={t.imported}
        none={t.noImported}
        heads={[t.when, t.file, t.kind]}
        rows={answer.imported.map((one) => ({
          key: one.id,
          cells: [
            number('when', format.moment(one.imported)),
            <span key="file" className="identifier">
              {one.name}
            </span>,
            one.kind,
          ],
        }))}
      />
    </Stack>
  )
}

function Part({
  title,
  none,
  heads,
  rows,
}: {
  readonly title: string
  readonly none: string
  readonly heads: readonly string[]
  readonly rows: readonly RowOfTable[]
}) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{none}</Text>
      ) : (
        <DataTable label={title} heads={heads} rows={rows} />
      )}
    </section>
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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!doing.isPending) doing.mutate()
      }}
    >
      <Stack>
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
        {doing.error !== null && <Problem error={doing.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={doing.isPending}>
            {asked.title}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
