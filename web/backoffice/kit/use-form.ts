// A form: what is typed, and the mistakes of fields that were left, or of all once it was sent.
import { type ChangeEvent, useState } from 'react'
import { afterPointer } from './after-pointer.ts'

/** The kind of mistake in each field that has one; words for them are texts of the page. */
export type Mistakes<Form, Kind extends string> = Readonly<Partial<Record<keyof Form, Kind>>>

/** @param mistakesOf pure; @param words what each kind of mistake says */
export function useForm<Form extends object, Kind extends string>(
  first: () => Form,
  mistakesOf: (form: Form) => Mistakes<Form, Kind>,
  words: Readonly<Record<Kind, string>>,
) {
  const [form, setForm] = useState(first)
  const [left, setLeft] = useState<ReadonlySet<keyof Form>>(new Set())
  const mistakes = mistakesOf(form)
  const change = (changed: Partial<Form>) => setForm((before) => ({ ...before, ...changed }))
  const errorOf = (field: keyof Form) => {
    const mistake = mistakes[field]
    return mistake !== undefined && left.has(field) ? words[mistake] : undefined
  }
  const leave = (field: keyof Form) => afterPointer(() => setLeft((fields) => new Set([...fields, field])))
  return {
    form,
    change,
    /** Once the field was left, or the form sent. */
    errorOf,
    leave,
    /** Attributes of an input of text. */
    of: (field: keyof Form) => ({
      value: String(form[field]),
      error: errorOf(field),
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
        change({ [field]: value } as unknown as Partial<Form>),
      onBlur: () => leave(field),
    }),
    /** Shows every mistake; true where there is none. */
    isRight(): boolean {
      setLeft(new Set(Object.keys(form) as (keyof Form)[]))
      return Object.keys(mistakes).length === 0
    },
  }
}
