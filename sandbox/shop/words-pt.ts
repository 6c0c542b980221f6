// The demo shop in Portuguese.
import type { ShopWords } from './words.ts'

export const portuguese: ShopWords = {
  title: 'Loja de demonstração',
  lead: 'Um comerciante a fingir, e um cliente: você. O servidor da loja chama a API com a chave da Demo Shop, como o seu faria, e tudo o que a loja e o gateway dizem um ao outro aparece na linha do tempo.',
  tabs: { label: 'O que experimentar', basket: 'Comprar', subscription: 'Subscrever' },
  goods: { tshirt: 'T-shirt', mug: 'Caneca' },
  basket: 'Cesto',
  each: 'cada',
  quantityOf: (name) => `${name}, quantidade`,
  total: 'Total',
  hosted: {
    title: 'Na página de pagamento',
    says: 'O gateway pede o cartão numa página sua. É o que dá menos trabalho ao comerciante.',
  },
  fields: {
    title: 'Aqui, com campos seguros',
    says: 'O cartão é escrito nesta página, numa moldura do gateway. À loja só chega texto cifrado.',
    cardHelp:
      'Experimente 4176 6600 0000 0027, ou 4176 6600 0000 0092, que pede o código 0101; qualquer validade futura e qualquer código de segurança.',
    allCards: 'Todos os cartões de teste',
    store: 'Só guardar o cartão',
    withoutScript:
      'Os campos cifram o cartão no seu navegador e precisam de JavaScript. A página de pagamento funciona sem ele.',
    broken: 'Não foi possível carregar os campos do cartão:',
  },
  stored: {
    title: 'Com o cartão guardado',
    says: 'A loja ficou com o seu token. Pagar é uma só chamada, e a resposta diz COMPLETED.',
    forget: 'Esquecer o cartão',
  },
  pay: 'Pagar',
  paying: 'Um momento…',
  ways: {
    checkout: 'Página de pagamento',
    fields: 'Campos seguros',
    token: 'Cartão guardado',
    card: 'Cartão para guardar',
  },
  states: {
    begun: 'Iniciada',
    pending: 'Pendente',
    done: 'Concluída',
    failed: 'Falhou',
    refused: 'Recusada',
  },
  notices: {
    payment: {
      begun: 'O pagamento começou.',
      pending: 'O pagamento está em curso. Um callback dirá como termina.',
      done: 'Pago, obrigado. A loja perguntou ao gateway e ouviu: COMPLETED.',
      failed: 'Não foi pago. Nada foi cobrado; tente outra vez, ou outro cartão.',
      refused: 'O gateway não aceitou o pedido:',
    },
    card: {
      begun: 'O cartão está a ser guardado.',
      pending: 'O cartão está a ser guardado. Um callback dirá como termina.',
      done: 'O cartão está guardado. Agora pague com ele, sem o voltar a escrever.',
      failed: 'O cartão não foi guardado: o banco não confirmou o titular.',
      refused: 'O gateway não aceitou o pedido:',
    },
  },
  problems: {
    empty_basket: 'O cesto está vazio. Ponha lá alguma coisa primeiro.',
    no_card_fields: 'O cartão não chegou. Escreva-o outra vez.',
    no_stored_card: 'A loja não tem nenhum cartão seu. Guarde um primeiro.',
  },
  orders: 'Encomendas',
  order: 'Encomenda',
  amount: 'Montante',
  state: 'Estado',
  callbacksHere:
    'Os callbacks sobre páginas de pagamento, subscrições e cartões guardados vão para o endereço definido para o comerciante. A loja define o seu onde não há nenhum. Para os receber num servidor seu:',
  callbacksElsewhere: [
    'Os callbacks sobre páginas de pagamento, subscrições e cartões guardados vão para',
    'por isso não aparecem aqui. Para os receber aqui:',
  ],
  timeline: {
    title: 'O que dizem um ao outro',
    says: 'O mais recente primeiro. Abra uma linha para a ler; as chaves estão ocultas e o texto cifrado cortado.',
    empty: 'Ainda nada. Pague alguma coisa.',
    request: 'API',
    callback: 'Callback',
    browserOut: 'O navegador vai a',
    browserBack: 'O navegador voltou a',
    sent: 'O servidor da loja enviou',
    answered: (status, durationMs) => `O gateway respondeu ${status} ao fim de ${durationMs} ms`,
    unanswered: 'Não veio resposta',
    received: 'O gateway enviou',
    genuine: 'genuíno',
    forged: 'falso',
    verified: 'A loja devolveu-o a /api/v2/callback/verify e ouviu true: é do gateway.',
    rejected:
      'A loja devolveu-o a /api/v2/callback/verify e ouviu false: foi outro que o enviou. Foi ignorado.',
  },
}
