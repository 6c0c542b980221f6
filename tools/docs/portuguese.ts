// The site's own texts in Portuguese.
import { portugueseSideBar, reference } from './navigation.ts'

export const portuguese = {
  theme: {
    nav: [{ text: 'Referência da API', link: reference.link, target: reference.target }],
    sidebar: portugueseSideBar(),
    outline: { label: 'Nesta página' },
    docFooter: { prev: 'Anterior', next: 'Seguinte' },
    darkModeSwitchLabel: 'Aparência',
    lightModeSwitchTitle: 'Mudar para claro',
    darkModeSwitchTitle: 'Mudar para escuro',
    sidebarMenuLabel: 'Menu',
    returnToTopLabel: 'Voltar ao início',
    langMenuLabel: 'Mudar de língua',
    skipToContentLabel: 'Ir para o conteúdo',
  },
  search: {
    button: { buttonText: 'Procurar', buttonAriaLabel: 'Procurar' },
    modal: {
      displayDetails: 'Mostrar pormenores',
      resetButtonTitle: 'Apagar a procura',
      backButtonTitle: 'Fechar a procura',
      noResultsText: 'Nada encontrado para',
      footer: { selectText: 'escolher', navigateText: 'percorrer', closeText: 'fechar' },
    },
  },
}
