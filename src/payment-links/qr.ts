// The QR code of an address, as a drawing that prints at any size.
import { encode } from 'uqr'

/** Modules of white around it: the least that scanners need (ISO/IEC 18004). */
const quietModules = 4
/** Pixels of a PNG per module: some 300 across, which prints sharp at 3 cm. */
export const pixelsPerModule = 10

/** An SVG, black on white whatever the page around it looks like. A sixth of it may be covered or torn. */
export function qrSvg(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const squares = data.flatMap((row, y) => row.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : [])))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${squares.join('')}"/></svg>`
}
