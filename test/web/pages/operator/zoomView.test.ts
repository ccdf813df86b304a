import { expect } from 'chai'
import { moveBy, WHOLE, zoomBy, zoomTo } from '../../../../web/src/pages/operator/zoomView.ts'

describe('the view of a picture', () => {
  it('is never smaller than the whole picture, and at most eight times as large', () => {
    expect(zoomBy(WHOLE, 0.5)).to.deep.equal(WHOLE)
    expect(zoomBy(WHOLE, 100).scale).to.equal(8)
    expect(zoomBy(zoomBy(WHOLE, 2), 0.5)).to.deep.equal(WHOLE)
  })

  it('never shows what is beyond the edge', () => {
    expect(moveBy(WHOLE, 1, -1)).to.deep.equal(WHOLE)
    expect(moveBy(zoomBy(WHOLE, 3), 5, -5)).to.deep.equal({ scale: 3, x: 1, y: -1 })
  })

  it('brings the clicked point to the middle, as far as the edge allows', () => {
    expect(zoomTo(3, 0.25, -0.25)).to.deep.equal({ scale: 3, x: -0.75, y: 0.75 })
    expect(zoomTo(3, 0.5, 0)).to.deep.equal({ scale: 3, x: -1, y: 0 })
  })

  it('keeps its middle while the size changes, unless the edge is nearer', () => {
    const corner = moveBy(zoomBy(WHOLE, 4), 1.5, 1.5)
    expect(zoomBy(corner, 0.5)).to.deep.equal({ scale: 2, x: 0.5, y: 0.5 })
    expect(zoomBy({ scale: 2, x: 0.25, y: 0 }, 2)).to.deep.equal({ scale: 4, x: 0.5, y: 0 })
  })
})
