import { expect } from 'chai'
import { barChart } from '../../../bench/report/barChart.ts'

const bars = [
  { label: 'bare & <simple>', value: 20_000, isOurs: false },
  { label: 'ours', value: 10_000, isOurs: true },
  { label: 'broken', value: Number.NaN, isOurs: true },
]
const svg = barChart({ title: 'a "title"', unit: 'responses/s', bars })
const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))

describe('barChart', () => {
  it('draws bars as long as their values, from zero', () => {
    expect(widths).to.have.length(3)
    expect((widths[1] ?? 0) / (widths[0] ?? 0)).to.be.closeTo(0.5, 0.001)
  })

  it('leaves out the bar of what is no number, and says so', () => {
    expect(widths[2]).to.equal(0)
    expect(svg).to.include('>–</text>')
  })

  it('tells labels, figures and ours, with nothing of theirs read as markup', () => {
    expect(svg).to.include('bare &amp; &lt;simple>')
    expect(svg).to.include('aria-label="a &quot;title&quot;"')
    expect(svg).to.include('>20,000</text>')
    expect(svg.match(/class="ours"/g)).to.have.length(2)
  })

  it('needs nothing from elsewhere', () => {
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.to.match(/https?:|<script|<image|@import|url\(/)
  })
})
