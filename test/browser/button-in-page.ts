// Browser functions of the button and badge tests, as text.

export interface Difference {
  /** Share of colour values that differ more than smoothing does. */
  readonly apart: number
  /** Mean of all colour values, 0 to 255. */
  readonly mean: number
}

/** Draws a plan from the gateway and compares it with a picture. */
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

/** Images that fail to load or have the wrong size. */
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

export const badgeWords = `${badges}.map((badge) => [badge.querySelector('span'), ...badge.querySelectorAll('li')].map((part) => part.textContent))`

/** Computed styles of each element in each badge. */
export const badgeLooks = `${badges}.flatMap((badge) => [badge, ...badge.querySelectorAll('*')]).map((element) => {
  const { color, font, borderTop, backgroundColor, textTransform, display } = getComputedStyle(element)
  const { width, height } = element.getBoundingClientRect()
  return [element.localName, color, font, borderTop, backgroundColor, textTransform, display, Math.round(width), Math.round(height)].join(' ')
})`
