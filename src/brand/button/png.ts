// Turns a drawing into PNG without a browser; the renderer is WebAssembly, loaded when somebody first asks.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A PNG of `svg`, `scale` device pixels per CSS pixel; the same bytes on every machine. Takes milliseconds. */
export type RenderPng = (svg: string, scale: number) => Buffer

let loading: Promise<RenderPng> | undefined

/** The renderer: 2.4 MB, in memory only once a PNG was asked for. */
export function loadPngRenderer(): Promise<RenderPng> {
  loading ??= load()
  return loading
}

async function load(): Promise<RenderPng> {
  const [{ initWasm, Resvg }, binary] = await Promise.all([
    import('@resvg/resvg-wasm'),
    readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  ])
  await initWasm(binary)
  return (svg, scale) => {
    const drawing = new Resvg(svg, {
      fitTo: { mode: 'zoom', value: scale },
      font: { loadSystemFonts: false },
    })
    // Memory of WebAssembly is not collected: what is not freed stays for ever.
    try {
      const image = drawing.render()
      try {
        return Buffer.from(image.asPng())
      } finally {
        image.free()
      }
    } finally {
      drawing.free()
    }
  }
}
