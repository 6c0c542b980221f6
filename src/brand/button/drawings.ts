// Path data of the mark, in 32 × 32.

export const gateDrawing = 'M8 7v18M24 7v18M8 11h16'
export const waterDrawing = 'M11.5 20c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0'
