// The state of a form, and the mistakes in its fields.
import { type ChangeEvent, useState } from 'react'
import { afterPointer } from './after-pointer.ts'

export type Mistakes<Form, Kind extends string> = Readonly<Partial<Record<keyof Form, Kind>>>

/**
 * @param mistakesOf finds the mistakes; a pure function
 * @param words message for each kind of mistake
 */
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
    /** A mistake shows after the user left the field or sent the form. */
    errorOf,
    leave,
    of: (field: keyof Form) => ({
      value: String(form[field]),
      error: errorOf(field),
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
        change({ [field]: value } as unknown as Partial<Form>),
      onBlur: () => leave(field),
    }),
    /** Shows all mistakes. True if the form has no mistake. */
    isRight(): boolean {
      setLeft(new Set(Object.keys(form) as (keyof Form)[]))
      return Object.keys(mistakes).length === 0
    },
  }
}
