// What is typed into the settings, and what is wrong with it as far as a page can tell; the gateway decides. Pure.
export type Rule = (text: string) => boolean

export const isName: Rule = (text) => /^.{1,100}$/.test(text.trim())
export const isEmail: Rule = (text) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text.trim())
export const isPhone: Rule = (text) => /^\+[\d\s().-]{6,24}$/.test(text.trim())
export const isWebAddress: Rule = (text) => /^https?:\/\/[^\s]+$/.test(text.trim())

/** Whether it may stay empty. */
export const orEmpty =
  (rule: Rule): Rule =>
  (text) =>
    text.trim() === '' || rule(text)

/** Null empties a setting. */
export const textOrNull = (text: string): string | null => text.trim() || null
