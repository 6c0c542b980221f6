// Registers Comporta with the block checkout: a title and a description, all else happens on the gateway's page.
{
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry
  const { getSetting } = window.wc.wcSettings
  const { createElement } = window.wp.element
  const { decodeEntities } = window.wp.htmlEntities

  const { title = '', description = '', supports = [] } = getSetting('comporta_data', {})
  const Description = () => decodeEntities(description)

  registerPaymentMethod({
    name: 'comporta',
    label: decodeEntities(title),
    ariaLabel: decodeEntities(title),
    content: createElement(Description),
    edit: createElement(Description),
    canMakePayment: () => true,
    supports: { features: supports },
  })
}
