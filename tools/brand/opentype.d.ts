// Types for the parts of opentype.js that trace-words.ts uses.
declare module 'opentype.js' {
  type PathCommand =
    | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
    | {
        readonly type: 'Q'
        readonly x1: number
        readonly y1: number
        readonly x: number
        readonly y: number
      }
    | { readonly type: 'Z' }
  interface Glyph {
    readonly advanceWidth: number
    getPath(x: number, y: number, fontSize: number): { readonly commands: readonly PathCommand[] }
  }
  interface Font {
    readonly unitsPerEm: number
    charToGlyph(letter: string): Glyph
    getKerningValue(left: Glyph, right: Glyph): number
  }
  const opentype: { parse(font: ArrayBuffer): Font }
  export default opentype
  export type { Glyph, PathCommand }
}
