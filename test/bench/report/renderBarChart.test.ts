import { expect } from 'chai'
import { renderBarChart } from '../../../bench/report/renderBarChart.ts'

const bars = [
  { label: 'bare & <simple>', value: 20_000, isOurs: false },
  { label: 'ours', value: 10_000, isOurs: true },
  { label: 'broken', value: Number.NaN, isOurs: true },
]
const svg = renderBarChart({ title: 'a "title"', unit: 'responses/s', bars })
const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))

describe('renderBarChart', () => {
  it('draws bars from zero, proportional to their values', () => {
    expect(widths).to.have.length(3)
    expect((widths[1] ?? 0) / (widths[0] ?? 0)).to.be.closeTo(0.5, 0.001)
  })

  it('draws no bar for a value that is not a number, and says so', () => {
    expect(widths[2]).to.equal(0)
    expect(svg).to.include('>–</text>')
  })

  it('shows labels and figures, escapes them, and marks ours', () => {
    expect(svg).to.include('bare &amp; &lt;simple>')
    expect(svg).to.include('aria-label="a &quot;title&quot;"')
    expect(svg).to.include('>20,000</text>')
    expect(svg.match(/class="ours"/g)).to.have.length(2)
  })

  it('is self-contained', () => {
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.to.match(/https?:|<script|<image|@import|url\(/)
  })
})
