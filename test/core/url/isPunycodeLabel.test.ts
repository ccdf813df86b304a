import { isPunycodeLabel } from '@svc/core/url/isPunycodeLabel.ts'
import { expect } from 'chai'

describe('isPunycodeLabel', () => {
  for (const name of [
    'bücher',
    'münchen',
    '中国',
    '他们为什么不说中文',
    'президент',
    'üäöñ-1a',
    '💩',
    'ελλάδα',
  ]) {
    it(`accepts how ${name} is written`, () => {
      const [label = ''] = new URL(`http://${name}.io`).hostname.split('.')
      expect(label).to.match(/^xn--/)
      expect(isPunycodeLabel(label)).to.equal(true)
    })
  }

  for (const [label, why] of [
    ['xn--a', 'does not decode'],
    ['xn--', 'is empty'],
    ['xn--0', 'is cut short'],
    ['xn--99999999', 'is beyond all characters'],
    ['xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', 'is a number without end'],
    ['xn--abc-', 'is plain ASCII'],
    ['xn--bcher-kv', 'lost its end'],
    ['xn--Bcher-kva', 'has a capital'],
    ['xn--a-ecp', 'is written in another way'],
  ] as const) {
    it(`refuses a label that ${why}: ${label}`, () => {
      expect(isPunycodeLabel(label)).to.equal(false)
    })
  }
})
