// Theme: colours and sizes.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Shades from pale to deep. Shade 7 has a contrast of at least 4.5:1 with white. */
const sea: MantineColorsTuple = [
  '#e7f7f8',
  '#d3ebee',
  '#a6d6dc',
  '#76c0c9',
  '#4faeb9',
  '#36a2af',
  '#1f8a98',
  '#0b6f7c',
  '#065a66',
  '#034651',
]

export const theme = createTheme({
  colors: { sea },
  primaryColor: 'sea',
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } } },
})

/** Text colours with a contrast of at least 4.5:1, because those of Mantine have less. */
const readable = {
  yellow: '#7a4d00',
  orange: '#8a3c00',
  green: '#1b6e2f',
  red: '#b01f1f',
  blue: '#14599c',
  gray: '#495057',
} as const

export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7278',
    '--mantine-color-error': '#c02626',
    ...Object.fromEntries(
      Object.entries(readable).map(([name, color]) => [`--mantine-color-${name}-light-color`, color]),
    ),
  },
  dark: {
    '--mantine-color-anchor': 'var(--mantine-color-sea-3)',
    '--mantine-color-dimmed': '#a3a9af',
    '--mantine-color-error': '#ff8787',
  },
})
