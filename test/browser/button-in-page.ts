// What tests of the button and the badge run in the browser; as text, because the DOM's types are not those of this folder.

/** How two pictures differ. */
export interface Difference {
  /** Share of the colour values that differ by more than the smoothing of an edge. */
  readonly apart: number
  /** Of all colour values, from 0 to 255. */
  readonly mean: number
}

/** Draws a plan from what the gateway answers and compares it with a picture, pixel by pixel: a {@link Difference}. */
export const comparisonWith = (sheet: object) => `(async ({ width, height, grounds, buttons, picture }) => {
  const load = async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  }
  const paint = (draw) => {
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    draw(canvas)
    return canvas.getImageData(0, 0, width, height).data
  }
  const expected = await load(picture)
  const images = await Promise.all(buttons.map(({ url }) => load(url)))
  const wanted = paint((canvas) => canvas.drawImage(expected, 0, 0))
  const drawn = paint((canvas) => {
    for (const { color, top, height } of grounds) {
      canvas.fillStyle = color
      canvas.fillRect(0, top, width, height)
    }
    for (const [index, { x, y }] of buttons.entries()) canvas.drawImage(images[index], x, y)
  })
  let sum = 0
  let apart = 0
  for (let at = 0; at < wanted.length; at++) {
    const difference = Math.abs(wanted[at] - drawn[at])
    sum += difference
    if (difference > 64) apart++
  }
  return { apart: apart / wanted.length, mean: sum / wanted.length }
})(${JSON.stringify(sheet)})`

/** Images that cannot be loaded, or are not as large as their element says. */
export const imagesOfAnotherSize = `Promise.all(
  [...document.images].map(async (image) => {
    await image.decode()
    const asSaid = image.naturalWidth === Number(image.getAttribute('width')) && image.naturalHeight === Number(image.getAttribute('height'))
    return asSaid ? [] : [image.outerHTML]
  }),
).then((wrong) => wrong.flat())`

export const buttonAddresses = `[...document.querySelectorAll('.ground.light img')].map((image) => image.getAttribute('src'))`

export const loadedAddresses = '[...document.images].map((image) => image.currentSrc)'

const badges = `[...document.querySelectorAll('.comporta-badge')].map((badge) => badge.shadowRoot.firstElementChild)`

export const badgeGrounds = `${badges}.map((badge) => getComputedStyle(badge).backgroundColor)`

/** Of each badge its title and its methods. */
export const badgeWords = `${badges}.map((badge) => [badge.querySelector('span'), ...badge.querySelectorAll('li')].map((part) => part.textContent))`

/** All that a shop's styles could have changed, of each element in each badge. */
export const badgeLooks = `${badges}.flatMap((badge) => [badge, ...badge.querySelectorAll('*')]).map((element) => {
  const { color, font, borderTop, backgroundColor, textTransform, display } = getComputedStyle(element)
  const { width, height } = element.getBoundingClientRect()
  return [element.localName, color, font, borderTop, backgroundColor, textTransform, display, Math.round(width), Math.round(height)].join(' ')
})`
