// Messages of the button and badge pages.
import type { Language } from '../issuer/messages.ts'

const pt = {
  onLight: 'em fundo claro',
  onDark: 'em fundo escuro',
  html: 'HTML',
  button: {
    title: 'Botões',
    lead: 'Imagens para o seu botão de pagamento. Escolha uma e copie o HTML para a sua página.',
    make: 'Crie o seu botão',
    style: 'Estilo (style)',
    culture: 'Língua (culture)',
    type: 'Ação (type)',
    format: 'Formato (format)',
    methods: 'Métodos (methods)',
    show: 'Mostrar',
    made: 'O seu botão',
    styleNamed: (style: string) => `Estilo ${style}`,
    allMethods: 'Todos os métodos',
    methodsHelp: 'Um desenho por método, sempre pela mesma ordem.',
  },
  badge: {
    title: 'Selo',
    lead: 'Um script que mostra na sua página os métodos de pagamento que aceita. Coloque-o no lugar do selo.',
    needsScript: 'O selo precisa de JavaScript, que está desligado.',
    styleNamed: (style: string) => `Estilo ${style}`,
    methods: 'Métodos',
    methodsHelp: 'Sem data-methods, o selo mostra todos.',
  },
}

export type BrandPageWords = typeof pt

export const brandPageWords: Readonly<Record<Language, BrandPageWords>> = {
  pt,
  en: {
    onLight: 'on light',
    onDark: 'on dark',
    html: 'HTML',
    button: {
      title: 'Buttons',
      lead: 'Images for your pay button. Choose one and copy its HTML into your page.',
      make: 'Make your own',
      style: 'Style (style)',
      culture: 'Language (culture)',
      type: 'Action (type)',
      format: 'Format (format)',
      methods: 'Methods (methods)',
      show: 'Show',
      made: 'Your button',
      styleNamed: (style) => `Style ${style}`,
      allMethods: 'All methods',
      methodsHelp: 'One drawing per method, always in the same order.',
    },
    badge: {
      title: 'Badge',
      lead: 'A script that shows the payment methods you accept. Put it in the place of the badge on your page.',
      needsScript: 'The badge needs JavaScript, which is turned off.',
      styleNamed: (style) => `Style ${style}`,
      methods: 'Methods',
      methodsHelp: 'Without data-methods the badge shows all of them.',
    },
  },
}
