import { encode } from 'uqr'

/** A QR code, dark on light in both colour schemes as scanners expect; `label` says what it contains. */
export function QrCode({ text, label, width = 220 }: { text: string; label: string; width?: number }) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={width}
      height={width}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, border: '1px solid var(--mantine-color-default-border)', maxWidth: '100%' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
