import { countHosts } from '@svc/core/url/countHosts.ts'
import { expect } from 'chai'

describe('the number of hosts of a request', () => {
  it('counts headers of that name in any case, and no values', () => {
    expect(countHosts([])).to.equal(0)
    expect(countHosts(['Accept', 'host', 'X-Host', 'a', 'Host', 'host'])).to.equal(1)
    expect(countHosts(['Host', 'a', 'hOST', 'b', 'HOST', ''])).to.equal(3)
  })
})
