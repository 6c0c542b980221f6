// A cache of button images.
import type { ButtonImage, ImageFormat } from '../model.ts'
import { type PublicFile, publicFile } from '../public-file.ts'
import { drawButton } from './button.ts'
import { loadPngRenderer } from './png.ts'

const keptMax = 500

const types: Readonly<Record<ImageFormat, string>> = { svg: 'image/svg+xml', png: 'image/png' }

export interface ButtonImages {
  kept(image: ButtonImage): PublicFile | undefined
  draw(image: ButtonImage): Promise<PublicFile>
}

export function createButtonImages(): ButtonImages {
  const images = new Map<string, PublicFile>()

  function keep(key: string, image: PublicFile): PublicFile {
    images.delete(key)
    images.set(key, image)
    for (const oldest of images.keys()) {
      if (images.size <= keptMax) break
      images.delete(oldest)
    }
    return image
  }

  return {
    kept(asked) {
      const key = keyOf(asked)
      const image = images.get(key)
      return image === undefined ? undefined : keep(key, image)
    },
    async draw(asked) {
      const svg = drawButton(asked)
      const content = asked.format === 'png' ? (await loadPngRenderer())(svg, asked.scale) : Buffer.from(svg)
      return keep(keyOf(asked), publicFile(content, types[asked.format]))
    },
  }
}

/** The key of a picture. It consists of known words only, and equal pictures have equal keys. */
function keyOf({ style, culture, type, methods, format, scale }: ButtonImage): string {
  return [style, culture, type, methods.join(','), format, scale].join(' ')
}
