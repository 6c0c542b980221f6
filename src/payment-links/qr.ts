// QR codes as SVG.
import { encode } from 'uqr'

/** The white border that scanners need (ISO/IEC 18004). */
const quietModules = 4
/** About 300 pixels across: sharp at 3 cm. */
export const pixelsPerModule = 10

export function qrSvg(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const squares = data.flatMap((row, y) => row.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : [])))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${squares.join('')}"/></svg>`
}
