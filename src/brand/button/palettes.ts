// Colours of each style. Outlines have middle tones, which are visible on white and on black.
import type { ButtonStyle } from '../model.ts'

export interface Palette {
  readonly fill: string
  readonly ink: string
  readonly outline: string
  readonly accent: string
  readonly tile: string
  readonly tileInk: string
}

export const palettes = {
  REGULAR: {
    fill: '#0b5563',
    ink: '#ffffff',
    outline: '#4a8b97',
    accent: '#8fe3f0',
    tile: '#ffffff',
    tileInk: '#0b3a44',
  },
  WHITE: {
    fill: '#ffffff',
    ink: '#10262b',
    outline: '#6f7f83',
    accent: '#0b7a8f',
    tile: '#e9f0f2',
    tileInk: '#10262b',
  },
  LIGHT: {
    fill: '#e0eff2',
    ink: '#0b3a44',
    outline: '#5f868e',
    accent: '#0b7a8f',
    tile: '#ffffff',
    tileInk: '#0b3a44',
  },
  DARK: {
    fill: '#12181a',
    ink: '#ffffff',
    outline: '#748488',
    accent: '#8fe3f0',
    tile: '#273236',
    tileInk: '#eef6f8',
  },
} as const satisfies Record<ButtonStyle, Palette>

/** The path data of the mark, in 32 × 32. */
export const gateDrawing = 'M8 7v18M24 7v18M8 11h16'
export const waterDrawing = 'M11.5 20c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0'
