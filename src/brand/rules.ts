// Reading of button queries.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { type Method, methods } from '../methods/list.ts'
import {
  type ButtonImage,
  buttonStyles,
  buttonTypes,
  cultures,
  imageFormats,
  imageScales,
  undrawnMethods,
} from './model.ts'

export type ButtonQuery = Readonly<
  Partial<Record<'methods' | 'style' | 'culture' | 'type' | 'format' | 'scale', string>>
>

/** Refusals: invalid_parameter with the accepted words. It never repeats the given text. */
export function readButtonQuery(query: ButtonQuery): Result<ButtonImage> {
  const style = wordOf('style', query.style, buttonStyles)
  if (!style.ok) return style
  const culture = wordOf('culture', query.culture, cultures)
  if (!culture.ok) return culture
  const type = wordOf('type', query.type, buttonTypes)
  if (!type.ok) return type
  const drawn = methodsOf(query.methods)
  if (!drawn.ok) return drawn
  const format = wordOf('format', query.format, imageFormats)
  if (!format.ok) return format
  const scale = wordOf('scale', query.scale, imageScales)
  if (!scale.ok) return scale
  return ok({
    style: style.value,
    culture: culture.value,
    type: type.value,
    methods: drawn.value,
    format: format.value,
    scale: format.value === 'png' && scale.value === '2' ? 2 : 1,
  })
}

function wordOf<const Word extends string>(
  name: string,
  written: string | undefined,
  words: readonly [Word, ...Word[]],
): Result<Word> {
  const asked = written?.trim().toLowerCase() ?? ''
  if (asked === '') return ok(words[0])
  const word = words.find((candidate) => candidate.toLowerCase() === asked)
  return word === undefined
    ? refuse('invalid_parameter', `${name} must be one of ${words.join(', ')}`)
    : ok(word)
}

function methodsOf(written: string | undefined): Result<readonly Method[]> {
  const asked = new Set((written ?? '').split(',').map((code) => code.trim().toUpperCase()))
  asked.delete('')
  for (const code of undrawnMethods) asked.delete(code)
  const drawn = methods.filter((method) => asked.has(method))
  return drawn.length === asked.size
    ? ok(drawn)
    : refuse('invalid_parameter', `methods must be a comma list of ${methods.join(', ')}`)
}
