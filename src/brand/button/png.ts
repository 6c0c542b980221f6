// PNG rendering with WebAssembly, loaded on first use.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** `scale` device pixels per CSS pixel; the same bytes on every machine. Takes milliseconds. */
export type RenderPng = (svg: string, scale: number) => Buffer

let loading: Promise<RenderPng> | undefined

/** 2.4 MB, in memory only after the first PNG. */
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
    // WebAssembly memory must be freed explicitly.
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
