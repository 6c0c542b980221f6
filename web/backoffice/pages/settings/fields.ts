// Checks of the settings fields.
export type Rule = (text: string) => boolean

export const isName: Rule = (text) => /^.{1,100}$/.test(text.trim())
export const isEmail: Rule = (text) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text.trim())
export const isPhone: Rule = (text) => /^\+[\d\s().-]{6,24}$/.test(text.trim())
export const isWebAddress: Rule = (text) => /^https?:\/\/[^\s]+$/.test(text.trim())

export const orEmpty =
  (rule: Rule): Rule =>
  (text) =>
    text.trim() === '' || rule(text)

/** The gateway clears a setting that is null. */
export const textOrNull = (text: string): string | null => text.trim() || null
