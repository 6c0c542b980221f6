// Images of buttons, drawn once and cached.

import type { ButtonImage, ImageFormat } from '../model.ts'
import { type PublicFile, publicFile } from '../public-file.ts'
import { drawButton } from './button.ts'
import { loadPngRenderer } from './png.ts'

/** Of 60 000 there are; about 10 KB each, and shops show a handful. */
const keptMax = 500

const types: Readonly<Record<ImageFormat, string>> = { svg: 'image/svg+xml', png: 'image/png' }

export interface ButtonImages {
  /** The image if it is kept. */
  kept(image: ButtonImage): PublicFile | undefined
  /** Draws the image and caches it in place of the one least recently used. */
  draw(image: ButtonImage): Promise<PublicFile>
}

export function createButtonImages(): ButtonImages {
  /** By what was asked for, the latest last. */
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

/** The cache key: built from known words only, and the same for images that look the same. */
function keyOf({ style, culture, type, methods, format, scale }: ButtonImage): string {
  return [style, culture, type, methods.join(','), format, scale].join(' ')
}
