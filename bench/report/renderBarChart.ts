import { formatFigure } from './formatFigure.ts'

/** One of the compared figures. */
type Bar = { label: string; value: number /** Ours is drawn in colour. */; isOurs: boolean }

const [WIDTH, LABELS, FIGURES] = [760, 330, 90]
const [ROW, BAR, TOP, BOTTOM] = [26, 16, 40, 12]

/**
 * Renders horizontal bars from zero as a self-contained SVG, without scripts, fonts or files, for light and dark pages.
 *
 * Bars are proportional to their values; a value that is not a finite number has no bar, and its label says so.
 */
export function renderBarChart({
  title,
  unit,
  bars,
}: {
  title: string
  unit: string
  bars: readonly Bar[]
}): string {
  const longest = Math.max(...bars.map(({ value }) => (Number.isFinite(value) ? value : 0)), Number.MIN_VALUE)
  const height = TOP + bars.length * ROW + BOTTOM
  const rows = bars.map(({ label, value, isOurs }, at) => {
    const top = TOP + at * ROW
    const length = Number.isFinite(value) ? (value / longest) * (WIDTH - LABELS - FIGURES) : 0
    const middle = top + BAR / 2 + 4
    return [
      `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${escapeXml(label)}</text>`,
      `<rect x="${LABELS}" y="${top}" width="${length.toFixed(1)}" height="${BAR}" rx="2" class="${isOurs ? 'ours' : 'peer'}"/>`,
      `<text x="${(LABELS + length + 6).toFixed(1)}" y="${middle}">${formatFigure(value)}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-size: 14px; font-weight: 600 }
.ours { fill: #4c51bf }
.peer { fill: #9aa2ad }
@media (prefers-color-scheme: dark) { text { fill: #e6e8eb } .ours { fill: #8b93ff } .peer { fill: #6b7480 } }
</style>
<text x="8" y="20" class="title">${escapeXml(title)}, ${escapeXml(unit)}</text>
${rows.join('\n')}
</svg>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
