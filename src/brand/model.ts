// Options of a button, in the words of SPEC.md.
import type { Method } from '../methods/list.ts'

export const buttonStyles = ['REGULAR', 'WHITE', 'LIGHT', 'DARK'] as const
export type ButtonStyle = (typeof buttonStyles)[number]

export const cultures = ['PT', 'EN'] as const
export type Culture = (typeof cultures)[number]

export const buttonTypes = ['BUY', 'CONFIRM', 'CONTINUE', 'PAYMENT', 'PURCHASE'] as const
export type ButtonType = (typeof buttonTypes)[number]

/** Method codes of SPEC.md that the gateway does not support. They are accepted, but not drawn. */
export const undrawnMethods = ['GPAY', 'APAY'] as const

export const imageFormats = ['svg', 'png'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Device pixels for each CSS pixel of a PNG. SVG ignores it. */
export const imageScales = ['1', '2'] as const
export type ImageScale = (typeof imageScales)[number]

export interface Button {
  readonly style: ButtonStyle
  readonly culture: Culture
  readonly type: ButtonType
  /** Each method at most once, in the order of the list, so that equal buttons have equal pictures. */
  readonly methods: readonly Method[]
}

export interface ButtonImage extends Button {
  readonly format: ImageFormat
  readonly scale: 1 | 2
}

export const buttonPath = '/api/v2/anon/images/button'
/** One example of SPEC.md has this path. */
export const buttonPathWithoutVersion = '/api/anon/images/button'
export const badgePath = '/badge/v1/badge.js'
