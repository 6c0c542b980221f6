// The page of the button.

import { html } from 'ghtml'
import {
  type ButtonImage,
  brandWords,
  buttonDescription,
  buttonPath,
  buttonSize,
  buttonStyles,
  buttonTypes,
  cultures,
  imageFormats,
} from '../../src/brand/index.ts'
import { factsOf, methods } from '../../src/methods/list.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { brandPageWords } from './messages.ts'
import { brandHead, sampleOf, samplesOf } from './parts.ts'

export const buttonPagePath = '/sandbox/button'

export interface ButtonPage {
  readonly language: Language
  readonly baseUrl: string
  readonly chosen: ButtonImage
}

export function buttonPage({ language, baseUrl, chosen }: ButtonPage): string {
  const words = brandPageWords[language]
  const sample = (image: ButtonImage, caption: string) =>
    sampleOf(
      {
        caption,
        onLight: html`<span lang="${brandWords[image.culture].language}">!${imageOf('', image, buttonDescription(image))}</span>`,
        onDark: imageOf('', image, ''),
        snippet: imageOf(baseUrl, image, buttonDescription(image)),
      },
      words,
    )
  const culture = language === 'pt' ? 'PT' : 'EN'
  const plain = { methods: [], format: 'svg', scale: 1 } as const
  const styles = buttonStyles.map((style) => {
    const variants = cultures.flatMap((spoken) => buttonTypes.map((type) => ({ culture: spoken, type })))
    const samples = variants.map((variant) =>
      sample({ ...plain, style, ...variant }, `${variant.culture} ${variant.type}`),
    )
    const full = { ...plain, style, culture, type: 'PAYMENT', methods } as const
    return samplesOf(words.button.styleNamed(style), [...samples, sample(full, words.button.allMethods)])
  })
  const single = methods.map((method) =>
    sample(
      { ...plain, style: 'REGULAR', culture, type: 'PAYMENT', methods: [method] },
      `${method}: ${factsOf(method).inSentence[language]}`,
    ),
  )
  return toolPage({
    title: words.button.title,
    path: buttonPagePath,
    lang: language,
    head: brandHead,
    body: html`
      <p class="lead">${words.button.lead}</p>
      !${maker(language, chosen)}
      !${samplesOf(words.button.made, [sample(chosen, `${chosen.culture} ${chosen.type}`)])}
      !${styles}
      !${samplesOf(words.button.methods, single, words.button.methodsHelp)}`,
  })
}

/** The HTML of the image. A PNG also names a version with twice the pixels, for sharp screens. */
function imageOf(baseUrl: string, image: ButtonImage, alt: string): string {
  const { width, height } = buttonSize(image)
  // Commas stay as they are, because merchants read and copy this HTML.
  const address = (scale: string) => (baseUrl + addressOf(image, scale)).replaceAll('&', '&amp;')
  const sharper = image.format === 'png' ? html` srcset="!${address('1')} 1x, !${address('2')} 2x"` : ''
  return html`<img src="!${address('1')}"!${sharper} width="${width}" height="${height}" alt="${alt}">`
}

function addressOf({ style, culture, type, methods, format }: ButtonImage, scale: string): string {
  const query = new URLSearchParams({ style, culture, type })
  if (format === 'png') {
    query.set('format', format)
    query.set('scale', scale)
  }
  // A query may contain commas, and they are easier to read.
  return `${buttonPath}?${query}${methods.length > 0 ? `&methods=${methods.join(',')}` : ''}`
}

function maker(language: Language, chosen: ButtonImage): string {
  const { button } = brandPageWords[language]
  const boxes = methods.map(
    (method) =>
      html`<label class="box"><input type="checkbox" name="methods" value="${method}" !${chosen.methods.includes(method) ? 'checked' : ''}> ${factsOf(method).inSentence[language]} (${method})</label>`,
  )
  return html`
    <h2>${button.make}</h2>
    <form class="maker" method="get" action="${buttonPagePath}">
      <input type="hidden" name="lang" value="${language}">
      !${choice('style', button.style, buttonStyles, chosen.style)}
      !${choice('culture', button.culture, cultures, chosen.culture)}
      !${choice('type', button.type, buttonTypes, chosen.type)}
      !${choice('format', button.format, imageFormats, chosen.format)}
      <fieldset><legend>${button.methods}</legend>!${boxes}</fieldset>
      <button type="submit">${button.show}</button>
    </form>`
}

function choice(name: string, label: string, words: readonly string[], chosen: string): string {
  const options = words.map(
    (word) => html`<option value="${word}" !${word === chosen ? 'selected' : ''}>${word}</option>`,
  )
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">!${options}</select></div>`
}
