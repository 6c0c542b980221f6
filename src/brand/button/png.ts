// PNG rendering with WebAssembly, loaded on first use.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** `scale`: device pixels for each CSS pixel. Takes milliseconds; the bytes are equal on every machine. */
export type RenderPng = (svg: string, scale: number) => Buffer

let loading: Promise<RenderPng> | undefined

/** The renderer takes 2.4 MB of memory, so it is loaded with the first PNG. */
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
