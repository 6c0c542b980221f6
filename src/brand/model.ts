// What a button can be asked to look like, in the words of SPEC.md, and what it is then.

import type { Method } from '../methods/list.ts'

export const buttonStyles = ['REGULAR', 'WHITE', 'LIGHT', 'DARK'] as const
export type ButtonStyle = (typeof buttonStyles)[number]

export const cultures = ['PT', 'EN'] as const
export type Culture = (typeof cultures)[number]

/** What the button says that it does. */
export const buttonTypes = ['BUY', 'CONFIRM', 'CONTINUE', 'PAYMENT', 'PURCHASE'] as const
export type ButtonType = (typeof buttonTypes)[number]

/** Method codes of SPEC.md without a rail: no button promises them, and no page breaks that names them. */
export const undrawnMethods = ['GPAY', 'APAY'] as const

export const imageFormats = ['svg', 'png'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Device pixels per CSS pixel of a PNG. An SVG is sharp at every scale. */
export const imageScales = ['1', '2'] as const
export type ImageScale = (typeof imageScales)[number]

export interface Button {
  readonly style: ButtonStyle
  readonly culture: Culture
  readonly type: ButtonType
  /** In the order of the list of methods, each at most once, so that one button has one picture. */
  readonly methods: readonly Method[]
}

export interface ButtonImage extends Button {
  readonly format: ImageFormat
  /** Always 1 of an SVG. */
  readonly scale: 1 | 2
}

export const buttonPath = '/api/v2/anon/images/button'
/** As one example of SPEC.md has it. */
export const buttonPathWithoutVersion = '/api/anon/images/button'
export const badgePath = '/badge/v1/badge.js'
